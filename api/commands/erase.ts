import { readDatabaseAddress, readPushSettings } from "../env.ts";
import { makeFollowUp } from "../follow-up.ts";
import { erasePerson, type PersonsOrder } from "../operation/erasure/erase-person.ts";
import { COMMAND, openDatabase } from "../platform/database/pool.ts";
import { emailKey } from "../platform/mail/email-address.ts";
import { readMail } from "../platform/mail/settings.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { readShopFacts } from "../selling/shop/queries.ts";

const USAGE = `Usage: npm run erase -- someone@example.com

Erases a person by e-mail address. What invoices need stays as long as keep.invoices in store.yaml says. It can be run again.`;

/** Erases a person by e-mail address, and says what became of each order. */
await runCommand(async () => {
  const { positionals } = readArguments(USAGE, {}, [1]);
  const [email = ""] = positionals;
  if (emailKey(email) === undefined) throw new Error(USAGE);
  const mailFolder = readMailFolder();
  const followUp = makeFollowUp(readPushSettings(process.env));
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    const { keep } = await readShopFacts(db);
    report(await erasePerson(db, email, { invoicesKeptDays: keep.invoices, mailFolder, followUp }));
  } finally {
    await db.destroy();
  }
});

/** Throws if a setting is wrong, since mail files might stay unseen. */
function readMailFolder(): string | undefined {
  const problems: string[] = [];
  const transport = readMail(process.env, problems)?.transport;
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return transport && "folder" in transport ? transport.folder : undefined;
}

function report({ orders, checkouts, cases, mailFiles }: Awaited<ReturnType<typeof erasePerson>>): void {
  if (orders.length === 0 && checkouts === 0 && cases === 0) {
    console.log("Nothing was found for this address.");
    return;
  }
  for (const order of orders) console.log(describe(order));
  const left = orders.filter(({ outcome }) => outcome !== "erased").length;
  const erased = [
    count(orders.length - left, "order", "orders"),
    count(checkouts, "checkout", "checkouts"),
    ...(cases > 0 ? [count(cases, "case of the assistant", "cases of the assistant")] : []),
    count(mailFiles, "mail file", "mail files"),
  ];
  console.log(`Erased: ${erased.join(", ")}.`);
  if (left === 0) return;
  console.log(`${count(left, "order isn't", "orders aren't")} erased yet: see above, then run this again.`);
  process.exitCode = 1;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function describe({ number, outcome, billingKeptUntil, cardPayments }: PersonsOrder): string {
  if (outcome === "open") return `${number} isn't finished. Complete, cancel or refund it first.`;
  if (outcome === "sending")
    return `${number} is being sent to the ERP or by mail. Wait until it has arrived or failed.`;
  const billing = billingKeptUntil
    ? ` Its billing name, address, VAT number, invoices and amounts stay until ${billingKeptUntil.toISOString().slice(0, 10)}.`
    : " Only its amounts stay.";
  const provider = cardPayments.length > 0 ? ` Erase it at Stripe too: ${cardPayments.join(", ")}.` : "";
  return `${number} is erased.${billing}${provider}`;
}
