import { COMMAND, openDatabase } from "../database/pool.ts";
import { readDatabaseAddress } from "../env.ts";
import { type ErasedOrder, erasePerson } from "../erasure/erase-person.ts";
import { EMAIL_ADDRESS, readMail } from "../mail/settings.ts";
import { runCommand } from "../run-command.ts";
import { readShopFacts } from "../shop/queries.ts";

const USAGE = "Usage: npm run erase -- someone@example.com";

/** Erases a person by e-mail address, and says what became of each order. */
await runCommand(async () => {
  const [email = "", ...more] = process.argv.slice(2);
  if (!EMAIL_ADDRESS.test(email) || more.length > 0) throw new Error(USAGE);
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    const transport = readMail(process.env, [])?.transport;
    const { orders, checkouts, mailFiles } = await erasePerson(db, email, {
      invoicesKeptDays: (await readShopFacts(db)).keep.invoices,
      mailFolder: transport && "folder" in transport ? transport.folder : undefined,
    });
    for (const order of orders) console.log(describe(order));
    const files = mailFiles === 0 ? "" : `, ${count(mailFiles, "mail file")}`;
    console.log(`Erased: ${count(orders.filter(isErased).length, "order")}, ${count(checkouts, "checkout")}${files}.`);
    if (orders.some((order) => !isErased(order))) {
      console.log("Not everything could be erased yet: run this again when the orders above are finished.");
      process.exitCode = 1;
    }
  } finally {
    await db.destroy();
  }
});

const isErased = ({ outcome }: ErasedOrder) => outcome === "erased";

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;

function describe({ number, outcome, keptUntil, cardPayments }: ErasedOrder): string {
  if (outcome === "open") return `${number} isn't finished: complete, cancel or refund it first.`;
  if (outcome === "delivering") return `${number} is being sent to the ERP or by mail: try again in a few minutes.`;
  const provider = cardPayments.length > 0 ? ` Erase it at Stripe too: ${cardPayments.join(", ")}.` : "";
  return `${number} is erased. Its billing name, address, VAT number and amounts stay until ${keptUntil.toISOString().slice(0, 10)}.${provider}`;
}
