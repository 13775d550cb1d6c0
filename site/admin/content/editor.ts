import type { FastifyRequest } from "fastify";
import { type Right, readRights } from "../../../api/contract/staff-rights.ts";
import type { Person } from "./git.ts";

/** Nobody is signed in. */
export class SignedOut extends Error {
  override name = "SignedOut";
}

/**
 * Who is signed in: nginx asks the API, and overwrites what the browser itself sent in these headers. Throws SignedOut.
 */
export function editorOf({ headers }: FastifyRequest): Person {
  const [name, email] = [headers["editor-name"], headers["editor-email"]].map((value) => decode(String(value ?? "")));
  if (!name || !email) throw new SignedOut("Nobody is signed in.");
  return { name, email };
}

/** What they may do: nginx lets nobody in without `content`, and says what else the API has told it. */
export const rightsOf = ({ headers }: FastifyRequest): ReadonlySet<Right> =>
  readRights(String(headers["editor-rights"] ?? ""));

/** The text of a percent-encoded header, without what would break a line of a commit. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value).replaceAll(/[\p{Cc}<>]/gu, "");
  } catch {
    return "";
  }
}
