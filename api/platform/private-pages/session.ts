import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { days, MAX_BASKET_DAYS } from "../../contract/duration.ts";
import { ago, now } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { inTransaction } from "../database/transaction.ts";
import { PageProblem } from "./problem-page.ts";

/** Of the cookie and of the row, after the last use. */
const LIFETIME_MS = days(MAX_BASKET_DAYS);
const HOUR_MS = 3_600_000;

/**
 * The id of the browser's session; undefined without a cookie, or for one that the shop didn't set or that has expired.
 * Notes the use once an hour.
 */
export async function findSession(db: Db, request: FastifyRequest): Promise<number | undefined> {
  const token = request.cookies[cookieName(request)];
  if (token === undefined || !/^[\w-]{43}$/.test(token)) return undefined;
  const found = await db
    .selectFrom("sessions")
    .select((column) => ["id", column("used_at", "<", ago(HOUR_MS)).as("is_old")])
    .where("token_hash", "=", hashToken(token))
    .where("used_at", ">", ago(LIFETIME_MS))
    .executeTakeFirst();
  if (found?.is_old) await db.updateTable("sessions").set({ used_at: now() }).where("id", "=", found.id).execute();
  return found?.id;
}

/** As findSession, for POSTs: the browser keeps the cookie of a session for another 30 days. */
export async function renewSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<number | undefined> {
  const known = await findSession(db, request);
  const token = request.cookies[cookieName(request)];
  if (known !== undefined && token !== undefined) setSessionCookie(request, reply, token);
  return known;
}

/**
 * The id of the browser's session, which is created if there is none. Sets the cookie; a value that the shop didn't make
 * is never adopted. Only for POSTs, and for links whose key has been checked.
 */
export async function openSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<number> {
  const known = await renewSession(db, request, reply);
  if (known !== undefined) return known;
  const token = randomBytes(32).toString("base64url");
  setSessionCookie(request, reply, token);
  const { insertId } = await db
    .insertInto("sessions")
    .values({ token_hash: hashToken(token), created_at: now(), used_at: now() })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/**
 * Ends the browser's session, if it has one, with its basket, its checkouts and its way to orders, and deletes the cookie.
 * A placing that is under way ends first, or fails whole.
 */
export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const hash = hashToken(request.cookies[cookieName(request)] ?? "");
  await inTransaction(db, (transaction) => transaction.deleteFrom("sessions").where("token_hash", "=", hash).execute());
  reply.clearCookie(cookieName(request), cookieOptions(request));
}

const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, token: string) =>
  reply.setCookie(cookieName(request), token, { ...cookieOptions(request), maxAge: LIFETIME_MS / 1_000 });

const cookieOptions = ({ protocol }: FastifyRequest) =>
  ({ httpOnly: true, secure: protocol === "https", sameSite: "lax", path: "/" }) as const;

/**
 * Where to go after a POST that opened a session. If the browser sent no cookie, the address says so, so that
 * `requireCookie` can tell a browser that keeps none from an empty basket.
 */
export const afterOpening = (request: FastifyRequest, path: string): string =>
  request.cookies[cookieName(request)] === undefined ? `${path}${path.includes("?") ? "&" : "?"}opened=1` : path;

/** Throws the page that explains cookies, if the browser comes from `afterOpening` without the cookie. */
export function requireCookie(request: FastifyRequest, { opened }: { opened?: string | undefined }): void {
  if (opened !== undefined && request.cookies[cookieName(request)] === undefined) throw new PageProblem("cookies-off");
}

/** The prefix makes browsers refuse the cookie from another host or over plain http (RFC 6265bis §4.1.3.2). */
const cookieName = ({ protocol }: FastifyRequest) => (protocol === "https" ? "__Host-session" : "session");

const hashToken = (token: string) => createHash("sha256").update(token).digest("hex");
