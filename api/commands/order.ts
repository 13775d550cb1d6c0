import { parseArgs } from "node:util";
import { COMMAND, openDatabase } from "../database/pool.ts";
import { readDatabaseAddress, readPushWhen } from "../env.ts";
import { makeFollowUp } from "../follow-up.ts";
import { type Act, actByPerson } from "../orders/by-person.ts";
import { METHOD, REFERENCE } from "../orders/record-payment.ts";
import type { Order } from "../orders/schema.ts";
import { runCommand } from "../run-command.ts";

const USAGE = `Usage: npm run order -- ACTION NUMBER, such as: npm run order -- paid A-1042 --reference 2026-10-19/44

  paid      money came: --reference REF (the bank's own), --amount 189.00 (else what is due), --method (else bank_transfer)
  accept    go on although it isn't paid: the customer has credit
  hold      stop it for now; also reopens a cancelled order
  release   go on with an order that is on hold
  cancel    --reason "Why"
  refunded  money went back: --reference REF, --amount 50.00 (else all that was paid), --reason "Why"

An action that was done already changes nothing.`;

const ACTIONS: Readonly<Record<Act["name"], readonly string[]>> = {
  paid: ["reference", "amount", "method"],
  accept: [],
  hold: [],
  release: [],
  cancel: ["reason"],
  refunded: ["reference", "amount", "reason"],
};

const isAction = (name: string): name is Act["name"] => Object.hasOwn(ACTIONS, name);

/** Records what a person reports or decides about an order. */
await runCommand(async () => {
  const { number, act } = readArguments(process.argv.slice(2));
  const followUp = makeFollowUp({ pushWhen: readPushWhen(process.env) });
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    const { before, after } = await actByPerson(db, number, act, followUp);
    if (after.version === before.version) console.log(`${describe(after)}. It was so already: nothing changed.`);
    else console.log(`Before: ${describe(before)}.\nNow:    ${describe(after)}.`);
  } finally {
    await db.destroy();
  }
});

function describe({ number, status, payment_status, currency, totals }: Order): string {
  const refunded = /[1-9]/.test(totals.refunded) ? `, ${totals.refunded} ${currency} refunded` : "";
  return `${number} is ${status} and ${payment_status}, ${totals.due} of ${totals.total} ${currency} due${refunded}`;
}

/** Throws an error with the usage unless the arguments are right. */
function readArguments(args: string[]): { number: string; act: Act } {
  const text = { type: "string" } as const;
  const options = { reference: text, amount: text, method: text, reason: text };
  const { values, positionals } = parse(() => parseArgs({ args, options, allowPositionals: true }));
  const [name = "", number = "", ...more] = positionals;
  if (!isAction(name) || number === "" || more.length > 0) throw new Error(USAGE);
  const foreign = Object.keys(values).find((option) => !ACTIONS[name].includes(option));
  if (foreign) throw new Error(`${name} has no --${foreign}.\n\n${USAGE}`);
  const { reference, amount, method = "bank_transfer", reason = null } = values;
  if (name === "cancel") return { number, act: { name, reason } };
  if (name !== "paid" && name !== "refunded") return { number, act: { name } };
  if (!reference)
    throw new Error(`Write --reference REF: it keeps the same money from being recorded twice.\n\n${USAGE}`);
  if (!new RegExp(REFERENCE).test(reference))
    throw new Error("Write --reference as 1 to 255 visible ASCII characters.");
  if (!new RegExp(METHOD).test(method))
    throw new Error("Write --method as 1 to 64 small letters, digits or _, beginning with a letter.");
  const money = { reference, amount };
  return { number, act: name === "paid" ? { name, method, ...money } : { name, reason, ...money } };
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}
