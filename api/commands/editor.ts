import { RIGHTS, type Right, readRights, writeRights } from "../contract/staff-rights.ts";
import { readAdminOrigin, readDatabaseAddress } from "../env.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { addEditor, inviteFirst, listEditors, removeEditor, renewLink, setRights } from "../staff/sign-in/editors.ts";

const USAGE = `Usage: npm run editor -- ACTION, such as: npm run editor -- add "Ann Archer" ann@example.com

  add NAME EMAIL   somebody who works in the shop: prints a link with which they make a passkey. Commits and what is done to
                   orders have this name. --may content,orders says what they may do; without it, content
  may EMAIL RIGHTS what they may do from now on, such as content,orders
  link EMAIL       a link for another device; with --lost, their other passkeys and sessions end at once
  first NAME EMAIL as add, who may do everything, while nobody has a passkey yet; otherwise nothing. \`npm start\` does it
  list             who there is, and what they may do
  remove EMAIL     with their passkeys and sessions; what they wrote keeps their name

Rights: content (texts, products and prices, as far as to publish them), orders (orders and stock), shop (to publish what
else content/ has: store.yaml and mails, so where money and mails go).
A link works once, for a day. Whoever has it is the editor: send it so that nobody else reads it.`;

/** How many arguments follow each action. */
const ACTIONS: Readonly<Record<string, number>> = { add: 2, first: 2, link: 1, list: 0, may: 2, remove: 1 };

/** Says who may do what at /admin. */
await runCommand(async () => {
  const { action, name, email, isLost, rights } = readEditor();
  // Before anything is changed: a link that doesn't work must not end those that do.
  const origin = /^(list|may|remove)$/.test(action) ? "" : readAdminOrigin(process.env);
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  const report = (token: string) =>
    console.log(`Works once, until this time tomorrow:\n${origin}/admin/enrol#${token}`);
  try {
    if (action === "add") report(await addEditor(db, { name, email }, rights));
    if (action === "first") {
      const token = await inviteFirst(db, { name, email });
      if (token !== undefined) report(token);
    }
    if (action === "link") report(await renewLink(db, email, isLost));
    if (action === "may" && rights) {
      await setRights(db, email, rights);
      console.log(`${email} may now: ${writeRights(rights)}.`);
    }
    if (action === "list") console.log((await listEditors(db)).map(describe).join("\n") || "There are no editors.");
    if (action === "remove") {
      await removeEditor(db, email);
      console.log(`${email} is signed out and can't sign in again.`);
    }
  } finally {
    await db.destroy();
  }
});

function describe({
  name,
  email,
  rights,
  passkeys,
  used_at,
  has_link,
}: Awaited<ReturnType<typeof listEditors>>[number]): string {
  const used = used_at ? `, last used ${used_at.slice(0, 16)} UTC` : "";
  const may = writeRights(readRights(rights)) || "nothing";
  return `${name} <${email}>: may ${may}; ${passkeys} ${passkeys === 1 ? "passkey" : "passkeys"}${used}${has_link ? ", a link that wasn't used yet" : ""}`;
}

/** Throws an error with the usage unless the action has what it needs. */
function readEditor() {
  const options = { lost: { type: "boolean" }, may: { type: "string" } } as const;
  const { values, positionals } = readArguments(USAGE, options, [1, 2, 3]);
  const [action = "", ...words] = positionals;
  const isLost = values.lost ?? false;
  const isRight = Object.hasOwn(ACTIONS, action) && words.length === ACTIONS[action];
  if (!isRight || (isLost && action !== "link") || (values.may !== undefined && action !== "add")) throw new Error(USAGE);
  const [first = "", second = ""] = words;
  const [name, email] = action === "add" || action === "first" ? [first, second] : ["", first];
  const written = action === "may" ? second : values.may;
  return { action, name, email, isLost, rights: written === undefined ? undefined : requireRights(written) };
}

/** At least one: who may do nothing is removed. */
function requireRights(text: string): ReadonlySet<Right> {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => !RIGHTS.some((right) => right === name)))
    throw new Error(`Rights are ${RIGHTS.join(", ")}: write some of them with commas between, such as content,orders.`);
  return readRights(names.join(","));
}
