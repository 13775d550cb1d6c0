import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

/** User present and verified, and in a new passkey with the key. */
const FLAGS = { present: 0x01, verified: 0x04, withKey: 0x40 };

interface Changes {
  /** The page's origin, as the browser says. */
  origin?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  userHandle?: string;
  id?: string;
}

/** A passkey of a device that does what WebAuthn says, unless `changes` say otherwise. */
export function makeAuthenticator(origin = "https://shop.example") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let userHandle = "";

  const dataOf = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: changes.origin ?? origin, crossOrigin: false }));

  const authenticatorData = (flags: number, { rpId = new URL(origin).hostname, counter = 0, ...changes }: Changes) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.of(changes.flags ?? flags), count]);
  };

  return {
    /** What navigator.credentials.create() answers, as JSON. */
    create(options: { challenge: string; user: { id: string } }, changes: Changes = {}) {
      userHandle = options.user.id;
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const bytes = (text: string) => Buffer.concat([Buffer.of(0x58, 32), Buffer.from(text, "base64url")]);
      // COSE, RFC 9053 §7.1.1: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from("a5010203262001", "hex"),
        Buffer.of(0x21),
        bytes(x),
        Buffer.of(0x22),
        bytes(y),
      ]);
      const authData = Buffer.concat([
        authenticatorData(FLAGS.present | FLAGS.verified | FLAGS.withKey, changes),
        Buffer.alloc(16),
        Buffer.of(0, id.length),
        id,
        key,
      ]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": …}
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a06861757468446174615900", "hex"),
        Buffer.of(authData.length),
        authData,
      ]);
      const clientDataJSON = base64url(dataOf("webauthn.create", options.challenge, changes));
      return credential(id, { clientDataJSON, attestationObject: base64url(attestationObject), transports: [] });
    },

    /** What navigator.credentials.get() answers, as JSON. */
    get(options: { challenge: string }, changes: Changes = {}) {
      const clientData = dataOf("webauthn.get", options.challenge, changes);
      const data = authenticatorData(FLAGS.present | FLAGS.verified, changes);
      return credential(changes.id === undefined ? id : Buffer.from(changes.id), {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(sign("sha256", Buffer.concat([data, sha256(clientData)]), privateKey)),
        userHandle: changes.userHandle ?? userHandle,
      });
    },
  };
}

const credential = <Response extends object>(id: Uint8Array, response: Response) => ({
  ...{ id: base64url(id), rawId: base64url(id), type: "public-key", clientExtensionResults: {} },
  ...{ authenticatorAttachment: "platform", response },
});
