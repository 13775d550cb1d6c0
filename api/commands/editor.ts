import { readAdminOrigin, readDatabaseAddress } from "../env.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { addEditor, inviteFirst, listEditors, removeEditor, renewLink } from "../staff/sign-in/editors.ts";

const USAGE = `Usage: npm run editor -- ACTION, such as: npm run editor -- add "Ann Archer" ann@example.com

  add NAME EMAIL   an editor: prints a link with which they make a passkey. Commits have this name and address
  link EMAIL       a link for another device; with --lost, their other passkeys and sessions end at once
  first NAME EMAIL as add, while nobody has a passkey yet; otherwise nothing. \`npm start\` does it
  list             who there is
  remove EMAIL     with their passkeys and sessions; what they wrote keeps their name

A link works once, for a day. Whoever has it is the editor: send it so that nobody else reads it.`;

/** How many arguments follow each action. */
const ACTIONS: Readonly<Record<string, number>> = { add: 2, first: 2, link: 1, list: 0, remove: 1 };

/** Says who may edit the shop at /admin. */
await runCommand(async () => {
  const { action, name, email, isLost } = readEditor();
  // Before anything is changed: a link that doesn't work must not end those that do.
  const origin = action === "list" || action === "remove" ? "" : readAdminOrigin(process.env);
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  const report = (token: string) =>
    console.log(`Works once, until this time tomorrow:\n${origin}/admin/enrol#${token}`);
  try {
    if (action === "add") report(await addEditor(db, { name, email }));
    if (action === "first") {
      const token = await inviteFirst(db, { name, email });
      if (token !== undefined) report(token);
    }
    if (action === "link") report(await renewLink(db, email, isLost));
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
  passkeys,
  used_at,
  has_link,
}: Awaited<ReturnType<typeof listEditors>>[number]): string {
  const used = used_at ? `, last used ${used_at.slice(0, 16)} UTC` : "";
  return `${name} <${email}>: ${passkeys} ${passkeys === 1 ? "passkey" : "passkeys"}${used}${has_link ? ", a link that wasn't used yet" : ""}`;
}

/** Throws an error with the usage unless the action has what it needs. */
function readEditor() {
  const { values, positionals } = readArguments(USAGE, { lost: { type: "boolean" } }, [1, 2, 3]);
  const [action = "", ...rest] = positionals;
  const isLost = values.lost ?? false;
  if (!Object.hasOwn(ACTIONS, action) || rest.length !== ACTIONS[action] || (isLost && action !== "link"))
    throw new Error(USAGE);
  return { action, name: rest[0] ?? "", email: rest.at(-1) ?? "", isLost };
}
