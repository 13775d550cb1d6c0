import { expect, onTestFinished, test } from "vitest";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { connectToServer } from "../../../database.ts";
import { run, until } from "../../server-process.ts";
import { person, startErasableShop } from "./erasable-shop.ts";

/** A shop, and `command` as `npm run erase` runs it. */
async function start() {
  const shop = await startErasableShop();
  const spawn = (...args: string[]) =>
    run("commands/erase.ts", { DATABASE_URL: shop.url, MAIL_FOLDER: shop.mailFolder }, ...args);
  const command = async (...args: string[]) => {
    const { output, ended } = spawn(...args);
    return [await ended, output.stdout, output.stderr];
  };
  return { ...shop, spawn, command };
}

test("the command says what became of each order, and what it erased", async () => {
  const { db, buy, order, enter, command } = await start();
  await buy(person);
  const open = await order(person);
  await enter(person);
  await db
    .updateTable("orders")
    .set({ placed_at: new Date("2026-01-31T12:00:00Z") })
    .execute();
  const erased = "A-1001 is erased. Its billing name, address, VAT number, invoices and amounts stay until 2033-01-31.";
  expect(await command("QUENDOLIN.roessler@sesame.example")).toEqual([
    1,
    `${erased}\nA-1002 isn't finished. Complete, cancel or refund it first.\nErased: 1 order, 3 checkouts, 7 mail files.\n1 order isn't erased yet: see above, then run this again.\n`,
    "",
  ]);
  await changeOrder(db, open, { status: "cancelled" });
  expect(await command(person.email)).toEqual([
    ...[0, `${erased.replace("1001", "1002")}\nErased: 1 order, 0 checkouts, 0 mail files.\n`, ""],
  ]);
  expect(await command(person.email)).toEqual([0, "Nothing was found for this address.\n", ""]);
});

test("wrong usage changes nothing and is explained, and so is a setting that would leave mail files unseen", async () => {
  const { command, url, buy, stored } = await start();
  const id = await buy(person);
  const before = await stored(id);
  for (const wrong of [[], ["A-1001"], [person.email, person.email], ["--all"]])
    expect(await command(...wrong)).toEqual([1, "", expect.stringMatching(/^Usage: npm run erase -- /m)]);
  const { output, ended } = run("commands/erase.ts", { DATABASE_URL: url, MAIL_FOLDER: "mails" }, person.email);
  expect([await ended, output.stderr]).toEqual([1, expect.stringMatching(/^MAIL_FOLDER is not usable/)]);
  expect(await stored(id)).toEqual(before);
});

test("killed in the middle of an order, it leaves that order whole, and the next run finishes", async () => {
  const { db, buy, stored, spawn, command, findPerson } = await start();
  const [first, second] = [await buy(person), await buy(person)];
  const before = await stored(second);
  const database = await connectToServer();
  onTestFinished(() => database.end());
  // It waits in the second order's transaction, after the order's row was written.
  const other = await db.startTransaction().execute();
  await other.selectFrom("order_payments").select("position").where("order_id", "=", second).forUpdate().execute();
  const { child, ended } = spawn(person.email);
  await until(
    () => db.selectFrom("orders").select("billing_kept_until").where("id", "=", first).executeTakeFirstOrThrow(),
    ({ billing_kept_until }) => billing_kept_until !== null,
  );
  await until(
    async () => JSON.stringify((await database.query("show processlist"))[0]),
    (list) => list.includes("update `order_payments`"),
  );
  child.kill("SIGKILL");
  await ended;
  await other.rollback().execute();
  await until(
    async () => JSON.stringify((await database.query("show processlist"))[0]),
    (list) => !list.includes("update `order_payments`"),
  );
  expect(await stored(second)).toEqual(before);
  expect(await command(person.email)).toEqual([
    0,
    expect.stringMatching(/^A-1002 is erased\..*\nErased: 1 order, /),
    "",
  ]);
  expect(await findPerson()).toEqual(["orders.billing_address"]);
});
