import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { examineDatabaseAt, findDatabaseFolders } from "../../../../api/operation/doctor/examine-database.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { makeTransport } from "../../../../api/platform/mail/transport.ts";
import { privateDatabaseAddress, startPrivateDatabase } from "../../../../nginx/local/private-database.ts";
import { makeDatabaseFolder, stopDatabase } from "../../../global-setup.ts";
import { openMigratedDatabase, PATIENT, token } from "../../api.ts";
import { place, review, startCheckout } from "../../people/checkout/start-checkout.ts";

/** Whether this process may mount a disk of its own. */
const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
const asRoot = test.skipIf(!canMount);

/** Makes `folder` a disk of that many megabytes. `fill()` leaves no room on it; `free()` gives it back. */
function mountDisk(folder: string, megabytes: number) {
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", folder]).status).toBe(0);
  // At once, also while a program has files on it.
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  const ballast = join(folder, "ballast");
  return {
    fill() {
      const file = openSync(ballast, "a");
      for (const size of [1 << 20, 1]) expect(() => writeWithoutEnd(file, size)).toThrow("ENOSPC");
      closeSync(file);
    },
    free: () => rmSync(ballast),
  };
}

function writeWithoutEnd(file: number, size: number): never {
  for (;;) writeSync(file, Buffer.alloc(size));
}

const address = { name: "Shop", address: "shop@shop.example" };
const mail = {
  ...{ id: "order-1", host: "shop.example", from: address, to: "ada@example.com", replyTo: address.address },
  ...{ subject: "Your order", text: "Thank you.", html: "<p>Thank you.", pictures: [] },
};

/** A shop on a database whose disk can be filled. */
async function startOnDisk() {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const data = join(folder, "data");
  const disk = mountDisk(data, 450);
  // MySQL ends itself once its redo log has no room: a database that is down (outage.slow.test.ts).
  const server = await startPrivateDatabase(folder);
  onTestFinished(() => stopDatabase(server));
  const { url } = privateDatabaseAddress(folder);
  await openMigratedDatabase(url);
  const codes = new Set<string>();
  const address = readDatabaseAddress({ DATABASE_URL: url });
  const db = openDatabase(address, { timeouts: PATIENT, countError: (code) => codes.add(code) });
  onTestFinished(() => db.destroy());
  return { disk, data, address, codes, ...(await startCheckout({ db, placementsPerHour: 10_000 })) };
}

asRoot(
  "while the database's disk is full, people and partners get 503 with Retry-After, and the doctor says so; with room again, each order is placed once (run as root)",
  async () => {
    const { disk, data, address, codes, db, app, otherCustomer } = await startOnDisk();
    const followed = { at: new Date(), see: "the refresh" };
    const expected = { versions: [], hasWebhook: false, hasMail: false, canRefresh: true, followed };
    expect((await examineDatabaseAt(address, expected))[0]).toMatchObject({ name: "database", state: "well" });
    expect((await findDatabaseFolders(address)).some((each) => each.startsWith(data))).toBe(true);
    const forms = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const customer = otherCustomer();
        await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
        return { customer, fields: await review(customer) };
      }),
    );
    disk.fill();
    const refused = [];
    for (const form of forms) {
      const answer = await place(form.customer, form.fields);
      expect([303, 503]).toContain(answer.statusCode);
      if (answer.statusCode === 503) refused.push(form);
      if (answer.statusCode === 503) expect(answer.headers["retry-after"]).toBe("5");
    }
    expect(refused.length).toBeGreaterThan(10);
    expect([...codes]).toEqual(["ER_RECORD_FILE_FULL"]);
    const placed = () => db.selectFrom("orders").select("id").orderBy("id").execute();
    const before = (await placed()).length;
    expect(before).toBe(forms.length - refused.length);
    const pay = (attempt: number) =>
      app.inject({
        method: "POST",
        url: `/api/orders/${1 + (attempt % before)}/payments`,
        headers: { authorization: `Bearer ${token}`, "idempotency-key": `"payment-${attempt}"` },
        payload: { method: "transfer", amount: "1.00", currency: "EUR", reference: `${attempt}`.padEnd(100, "r") },
      });
    // Pages that the database has already may have room for some.
    let answer = await pay(0);
    for (let attempt = 1; answer.statusCode === 200 && attempt < 5_000; attempt += 1) answer = await pay(attempt);
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
    // Mails that are written instead of sent wait for room too.
    const mails = join(data, "mails");
    expect(await makeTransport({ transport: { folder: mails } })(mail)).toEqual({ outcome: "failed", fault: "ENOSPC" });
    disk.free();
    for (const { customer, fields } of refused) expect((await place(customer, fields)).statusCode).toBe(303);
    expect((await placed()).map(({ id }) => id)).toEqual(forms.map((_, index) => index + 1));
    expect(await makeTransport({ transport: { folder: mails } })(mail)).toEqual({ outcome: "sent" });
    expect(readdirSync(mails)).toEqual(["order-1.eml"]);
  },
);
