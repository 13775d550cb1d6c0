import type { FastifyReply, FastifyRequest } from "fastify";
import { readRights } from "../../contract/staff-rights.ts";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StaffMember } from "../staff-member.ts";
import { SESSION_KEPT_MS } from "./lifetimes.ts";
import { hashSecret, makeSecret } from "./secret.ts";

/** Signs an editor in: stores a new session. Returns the cookie's value, which no session had before. */
export async function openEditorSession(db: Db, editorId: number): Promise<string> {
  const token = makeSecret();
  await db
    .insertInto("editor_sessions")
    .values({ token_hash: hashSecret(token), editor_id: editorId, created_at: now() })
    .execute();
  return token;
}

/** Who is signed in with the browser that sent this request, with the rights of this moment; undefined if nobody is. */
export async function findSignedIn(db: Db, request: FastifyRequest): Promise<StaffMember | undefined> {
  const row = await db
    .selectFrom("editor_sessions")
    .innerJoin("editors", "editors.id", "editor_sessions.editor_id")
    .select(["editors.id", "name", "email", "rights"])
    .where("token_hash", "=", hashOfCookie(request))
    .where("editor_sessions.created_at", ">", ago(SESSION_KEPT_MS))
    .executeTakeFirst();
  return row && { ...row, rights: readRights(row.rights) };
}

/** Signs the editor out, also in copies of the cookie. */
export async function closeEditorSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await db.deleteFrom("editor_sessions").where("token_hash", "=", hashOfCookie(request)).execute();
  reply.clearCookie(cookieName(request), cookieOptions(request));
}

/** Hands the session to the browser. Strict: no other site's link or form acts as the editor. */
export const setEditorCookie = (request: FastifyRequest, reply: FastifyReply, token: string): FastifyReply =>
  reply.setCookie(cookieName(request), token, { ...cookieOptions(request), maxAge: SESSION_KEPT_MS / 1_000 });

const cookieOptions = ({ protocol }: FastifyRequest) => ({
  httpOnly: true,
  secure: protocol === "https",
  sameSite: "strict" as const,
  path: "/",
});

/** The prefix makes browsers refuse the cookie from another host or over plain http (RFC 6265bis §4.1.3.2). */
const cookieName = ({ protocol }: FastifyRequest) => (protocol === "https" ? "__Host-admin" : "admin");

const hashOfCookie = (request: FastifyRequest) => hashSecret(request.cookies[cookieName(request)] ?? "");
