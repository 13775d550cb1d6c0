import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { findLinkEditor, useLink } from "./editors.ts";
import { CHALLENGE_KEPT_MS } from "./lifetimes.ts";
import { hashSecret, makeSecret } from "./secret.ts";
import { openEditorSession } from "./session.ts";

/** What checks passkeys: 300 modules, which a start needn't wait for. */
export const loadPasskeyLibrary = () => import("@simplewebauthn/server");

/** EdDSA, ES256 and RS256, as COSE numbers them; not ML-DSA, which Node still calls experimental. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Passkeys for the pages at one origin. */
export interface Passkeys {
  /** What a browser needs to make a passkey with a link; undefined if the link can't be used. */
  askToEnrol(link: string): Promise<object | undefined>;
  /** Stores a new passkey and uses the link up. Returns a session; undefined if the link can't be used, or not with this. */
  enrol(link: string, credential: RegistrationResponseJSON): Promise<string | undefined>;
  /** What a browser needs to sign in with any passkey it has for this origin, so that nobody says who they are first. */
  askToSignIn(): Promise<object>;
  /** Returns a session; undefined for a wrong passkey, without saying what is wrong with it. */
  signIn(credential: AuthenticationResponseJSON): Promise<string | undefined>;
}

/** Passkeys that are made for and used at `origin` alone. */
export function makePasskeys(db: Db, origin: string): Passkeys {
  const rpID = new URL(origin).hostname;
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  return {
    async askToEnrol(link) {
      const editor = await findLinkEditor(db, link);
      if (!editor) return undefined;
      const passkeys = await db
        .selectFrom("editor_passkeys")
        .select("credential_id as id")
        .where("editor_id", "=", editor.id)
        .execute();
      const { generateRegistrationOptions } = await loadPasskeyLibrary();
      return generateRegistrationOptions({
        rpID,
        rpName: rpID,
        userName: editor.email,
        userDisplayName: editor.name,
        userID: new Uint8Array(Buffer.from(editor.user_handle, "base64url")),
        challenge: await storeChallenge(db, hashSecret(link)),
        timeout: CHALLENGE_KEPT_MS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: passkeys,
        supportedAlgorithmIDs,
      });
    },

    async enrol(link, credential) {
      const editor = await findLinkEditor(db, link);
      const expectedChallenge = await takeChallenge(db, credential, hashSecret(link));
      if (!editor || expectedChallenge === undefined) return undefined;
      const { verifyRegistrationResponse } = await loadPasskeyLibrary();
      const verified = await orUndefined(
        verifyRegistrationResponse({ response: credential, expectedChallenge, supportedAlgorithmIDs, ...expected }),
      );
      const passkey = verified?.registrationInfo?.credential;
      if (!passkey) return undefined;
      return inTransaction(db, async (transaction) => {
        // WebAuthn §7.1: an id that somebody has registered is refused.
        if (await isRegistered(transaction, passkey.id)) return undefined;
        if (!(await useLink(transaction, link))) return undefined;
        await transaction
          .insertInto("editor_passkeys")
          .values({
            credential_id: passkey.id,
            editor_id: editor.id,
            public_key: Buffer.from(passkey.publicKey),
            sign_count: passkey.counter,
            created_at: now(),
            used_at: now(),
          })
          .execute();
        return openEditorSession(transaction, editor.id);
      });
    },

    async askToSignIn() {
      const { generateAuthenticationOptions } = await loadPasskeyLibrary();
      const challenge = await storeChallenge(db, "");
      return generateAuthenticationOptions({
        rpID,
        challenge,
        timeout: CHALLENGE_KEPT_MS,
        userVerification: "required",
      });
    },

    async signIn(credential) {
      const expectedChallenge = await takeChallenge(db, credential, "");
      const passkey = await db
        .selectFrom("editor_passkeys")
        .innerJoin("editors", "editors.id", "editor_passkeys.editor_id")
        .select(["credential_id", "public_key", "sign_count", "editor_id"])
        .where("credential_id", "=", credential.id)
        .where("user_handle", "=", credential.response.userHandle ?? "")
        .executeTakeFirst();
      if (!passkey || expectedChallenge === undefined) return undefined;
      const known = {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.sign_count,
      };
      const { verifyAuthenticationResponse } = await loadPasskeyLibrary();
      const verified = await orUndefined(
        verifyAuthenticationResponse({ response: credential, expectedChallenge, credential: known, ...expected }),
      );
      if (!verified?.verified) return undefined;
      await db
        .updateTable("editor_passkeys")
        .set({ sign_count: verified.authenticationInfo.newCounter, used_at: now() })
        .where("credential_id", "=", passkey.credential_id)
        .execute();
      return openEditorSession(db, passkey.editor_id);
    },
  };
}

const isRegistered = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom("editor_passkeys").select("editor_id").where("credential_id", "=", id).executeTakeFirst()) !==
  undefined;

/** The library throws for everything that is wrong with a credential, and does nothing else that could fail. */
const orUndefined = <T>(verification: Promise<T>): Promise<T | undefined> => verification.catch(() => undefined);

/** Returns a new challenge as bytes, which the library doesn't encode again. */
async function storeChallenge(db: Db, linkHash: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = makeSecret();
  await db.insertInto("editor_challenges").values({ challenge, link_hash: linkHash, created_at: now() }).execute();
  return new Uint8Array(Buffer.from(challenge, "base64url"));
}

/** Uses up the challenge that a credential answers, before anything is verified; undefined if it can't be used. */
async function takeChallenge(
  db: Db,
  { response }: { response: { clientDataJSON: string } },
  linkHash: string,
): Promise<string | undefined> {
  const challenge = readChallenge(response.clientDataJSON);
  const { numDeletedRows } = await db
    .deleteFrom("editor_challenges")
    .where("challenge", "=", challenge)
    .where("link_hash", "=", linkHash)
    .where("created_at", ">", ago(CHALLENGE_KEPT_MS))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n ? challenge : undefined;
}

function readChallenge(clientData: string): string {
  try {
    const { challenge }: { challenge?: unknown } = Object(JSON.parse(Buffer.from(clientData, "base64url").toString()));
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}
