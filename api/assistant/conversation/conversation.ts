import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import Type, { type Static } from "typebox";
import { Check } from "typebox/schema";
import { ApiError } from "../../platform/http/problem.ts";

/** Who is asking, as the platform vouches for. */
const Identity = Type.Object({
  /** `whatsapp`, `web`, `telephone` … */
  channel: Type.String({ pattern: "^[a-z0-9_-]{1,32}$" }),
  /** The customer in that channel, such as a telephone number. */
  subject: Type.String({ pattern: "^[^\\x00-\\x1f\\x7f]{1,200}$" }),
  /** Seconds since 1970. */
  exp: Type.Integer(),
});
type Identity = Pick<Static<typeof Identity>, "channel" | "subject">;

/** A conversation of the assistant with somebody. */
export interface Conversation {
  /** The platform's id of it. */
  id: string;
  /** Undefined for a visitor whom the platform doesn't know. */
  identity: Identity | undefined;
  /**
   * What verifications, limits and the audit are bound to: SHA-256 of token, id and identity, so that another token,
   * conversation or person never shares them.
   */
  key: string;
}

interface Opened {
  id: string;
  /** A hash of the assistant's token. */
  token: string;
  /** The header Assistant-Identity. */
  identity: string | undefined;
}

/** Tells who is asking in which conversation. Throws 401 for an identity that isn't signed with one of the secrets, or has expired. */
export function openConversation({ id, token, identity: header }: Opened, secrets: readonly string[]): Conversation {
  const identity = header === undefined ? undefined : readIdentity(header, secrets);
  const parts = [token, id, identity?.channel ?? "", identity?.subject ?? ""];
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return { id, identity, key };
}

const REFUSED =
  "The header Assistant-Identity isn't valid: send a JWT signed with HS256 and this shop's secret, with channel, subject and an exp ahead, or leave it out for a visitor whom you don't know.";

/** Reads a JWT (RFC 7519) that is signed with HMAC-SHA256. */
function readIdentity(header: string, secrets: readonly string[]): Identity {
  const [head = "", payload = "", signature = "", ...more] = header.split(".");
  const { alg }: { alg?: unknown } = Object(readJson(head));
  const identity = readJson(payload);
  if (more.length > 0 || alg !== "HS256" || !isSigned(`${head}.${payload}`, signature, secrets))
    throw new ApiError("unauthorized", REFUSED);
  if (!Check(Identity, identity) || identity.exp * 1_000 <= Date.now()) throw new ApiError("unauthorized", REFUSED);
  return { channel: identity.channel, subject: identity.subject };
}

function isSigned(text: string, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature, "base64url");
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(text).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function readJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined;
  }
}
