import { readMailbox } from "../../contract/email-address.ts";
import { RIGHTS, type Right, writeRights } from "../../contract/staff-rights.ts";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import { readTyped } from "../../platform/typed-text.ts";
import { LINK_KEPT_MS } from "./lifetimes.ts";
import { hashSecret, makeSecret } from "./secret.ts";

/** Who an editor is, in the shop and as the author of commits. */
export interface Editor {
  name: string;
  email: string;
}

/** What whoever is added may do if nobody says. */
const USUAL_RIGHTS: ReadonlySet<Right> = new Set(["content"]);

/** Adds an editor. Returns the token of a link with which they make their first passkey. Throws an error for a person. */
export async function addEditor(db: Db, editor: Editor, rights: ReadonlySet<Right> = USUAL_RIGHTS): Promise<string> {
  const name = readTyped(editor.name);
  const email = readMailbox(editor.email)?.toLowerCase();
  // Git ends the author's name at the first angle bracket and drops one that has only punctuation.
  if (!/[\p{L}\p{N}]/u.test(name) || /[<>\p{Cc}]/u.test(name) || [...name].length > 128)
    throw new Error("Write a name of 1 to 128 characters with a letter or digit in it, and without < and >.");
  if (email === undefined) throw new Error(`${editor.email} isn't an e-mail address.`);
  return inTransaction(db, async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("editors")
      .ignore()
      .values({ name, email, user_handle: makeSecret(), created_at: now(), rights: writeRights(rights) })
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) throw new Error(`${email} is an editor already. For another passkey, use link.`);
    return makeLink(transaction, await findEditorId(transaction, email));
  });
}

/**
 * While nobody has a passkey, adds the editor, who may do everything, or renews their link, and returns its token. Links
 * of others go on working.
 */
export async function inviteFirst(db: Db, editor: Editor): Promise<string | undefined> {
  const editors = await listEditors(db);
  if (editors.some(({ passkeys }) => Number(passkeys) > 0)) return undefined;
  const isKnown = editors.some(({ email }) => emailKey(email) === emailKey(editor.email));
  return isKnown ? renewLink(db, editor.email, false) : addEditor(db, editor, new Set(RIGHTS));
}

/**
 * Makes a link for another passkey of an editor; earlier links end. With `isLost`, so do their passkeys and sessions.
 * Returns its token. Throws an error for a person.
 */
export const renewLink = (db: Db, email: string, isLost: boolean): Promise<string> =>
  inTransaction(db, async (transaction) => {
    const id = await findEditorId(transaction, email);
    await transaction.deleteFrom("editor_links").where("editor_id", "=", id).execute();
    if (isLost) {
      await transaction.deleteFrom("editor_passkeys").where("editor_id", "=", id).execute();
      await transaction.deleteFrom("editor_sessions").where("editor_id", "=", id).execute();
    }
    return makeLink(transaction, id);
  });

/** Says what an editor may do from their next request on. Throws an error for a person. */
export async function setRights(db: Db, email: string, rights: ReadonlySet<Right>): Promise<void> {
  await db
    .updateTable("editors")
    .set({ rights: writeRights(rights) })
    .where("id", "=", await findEditorId(db, email))
    .execute();
}

/** Removes an editor with their passkeys, links and sessions. Commits keep their name. Throws an error for a person. */
export async function removeEditor(db: Db, email: string): Promise<void> {
  await db
    .deleteFrom("editors")
    .where("id", "=", await findEditorId(db, email))
    .execute();
}

/** Every editor, by name. */
export const listEditors = (db: Db) =>
  db
    .selectFrom("editors")
    .select(({ selectFrom, exists }) => [
      "name",
      "email",
      "rights",
      selectFrom("editor_passkeys")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("editor_id", "=", "editors.id")
        .as("passkeys"),
      selectFrom("editor_passkeys")
        .select(({ fn }) => fn.max("used_at").as("used_at"))
        .whereRef("editor_id", "=", "editors.id")
        .as("used_at"),
      exists(
        selectFrom("editor_links")
          .select("token_hash")
          .whereRef("editor_id", "=", "editors.id")
          .where("editor_links.created_at", ">", ago(LINK_KEPT_MS)),
      ).as("has_link"),
    ])
    .orderBy("name")
    .execute();

/** Whether anybody has been let in. */
export const hasEditors = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("editors").select("id").limit(1).executeTakeFirst()) !== undefined;

async function findEditorId(db: Db, email: string): Promise<number> {
  // In JavaScript: an earlier release stored what was typed, in small letters.
  const editors = await db.selectFrom("editors").select(["id", "email"]).execute();
  const row = editors.find((each) => emailKey(each.email) === emailKey(email));
  if (!row) throw new Error(`${email} isn't an editor.`);
  return row.id;
}

async function makeLink(db: Db, editorId: number): Promise<string> {
  const token = makeSecret();
  await db
    .insertInto("editor_links")
    .values({ token_hash: hashSecret(token), editor_id: editorId, created_at: now() })
    .execute();
  return token;
}

/** The editor whom a link that can still be used is for. */
export const findLinkEditor = (db: Db, token: string) =>
  db
    .selectFrom("editor_links")
    .innerJoin("editors", "editors.id", "editor_links.editor_id")
    .select(["editors.id", "name", "email", "user_handle"])
    .where("token_hash", "=", hashSecret(token))
    .where("editor_links.created_at", ">", ago(LINK_KEPT_MS))
    .executeTakeFirst();

/** Uses a link up. Returns whether it could be used: of several requests with one link, one gets true. */
export async function useLink(db: Db, token: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("editor_links")
    .where("token_hash", "=", hashSecret(token))
    .where("created_at", ">", ago(LINK_KEPT_MS))
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}
