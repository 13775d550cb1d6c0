import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { findBarriers } from "../../../accessibility.ts";
import { byDepth } from "../../../depth.ts";
import { withPage } from "../../../end-to-end/visitors/with-page.ts";
import { startAdmin } from "../../../nginx/admin-process.ts";
import { runNginx } from "../../../nginx/run-nginx.ts";
import { signInFiles } from "../../../nginx/sign-in-files.ts";
import { buildTemplates, storeShop } from "../../platform/private-pages/pages.ts";
import { transferShop } from "../../selling/mail/mail-shop.ts";
import { addDevice } from "../sign-in/device.ts";
import { ann, startEditors } from "../sign-in/editors-shop.ts";
import { twoLines } from "./staff-orders.ts";

const PHONE = { width: 390, height: 844 };
const followUp = makeFollowUp({ pushWhen: "manual" });

/** A shop at http://localhost with so many orders, and a signed-in browser's cookies. */
async function startWithOrders(orders: number) {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const facts = transferShop();
  const sessionPages = await buildTemplates(facts);
  const { app, db } = await startEditors({ editors: { origin, hasContent: true }, sessionPages });
  await storeShop(db, facts);
  for (let placed = 0; placed < orders; placed += 1) await placeOrder(db, twoLines(), undefined, followUp);
  const api = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const { socket } = await startAdmin();
  const refused = readFileSync(join(sessionPages, "admin/refused"), "utf8");
  const files = { ...signInFiles("en-IE"), ".session/admin/refused": refused };
  const nginx = await runNginx(files, Number(api.port), [], { port, admin: { origin, socket } });
  onTestFinished(() => nginx.stop());
  const cookies = await withPage({}, async (page) => {
    await addDevice(page);
    await page.goto(`${origin}/admin/enrol#${await addEditor(db, ann, new Set(["orders"] as const))}`);
    await page.getByRole("button").click();
    await page.waitForURL(`${origin}/admin`);
    return page.context().cookies();
  });
  return { db, origin, cookies };
}

/** Goes on by Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard doesn't reach ${target}.`);
}

const go = (page: Page) => Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);

/** Does something with the order that is open, by its form, and comes back to its page. */
async function doByKeyboard(page: Page, name: string, given: Readonly<Record<string, string>> = {}): Promise<void> {
  await tabTo(page, page.getByRole("link", { name, exact: true }).first());
  await go(page);
  for (const [label, text] of Object.entries(given)) {
    const field = page.getByLabel(label, { exact: false }).first();
    await tabTo(page, field);
    if ((await field.getAttribute("type")) === "radio") await page.keyboard.press("Space");
    else {
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
    }
  }
  await tabTo(page, page.getByRole("button", { name, exact: true }));
  await go(page);
  expect([name, new URL(page.url()).search]).toEqual([name, expect.stringMatching(/^\?done=(?!again)/)]);
}

type Step = [name: string, given?: Record<string, string>];
const paid: Step = ["Record a payment", { "The bank’s reference": "T-1" }];

/** What is done to orders of eight kinds, and the status at the end. */
const KINDS: readonly { before?: (db: Db, id: number) => Promise<unknown>; steps: Step[]; status: string }[] = [
  { steps: [paid, ["Record a parcel", { Carrier: "DHL" }]], status: "completed" },
  {
    steps: [
      ["Accept on credit"],
      ["Record a parcel", { Cable: "0" }],
      ["Close without the rest", { Reason: "Sold out" }],
    ],
    status: "on_hold",
  },
  { steps: [["Put on hold"], ["Add a note", { Note: "Asked for blue" }], ["Release"]], status: "processing" },
  { steps: [["Cancel the order", { Reason: "Ordered twice" }], ["Reopen"]], status: "on_hold" },
  {
    steps: [
      ["Correct address or e-mail", { "Town or city": "Brno" }],
      ["Send an e-mail again", { "Order received": "" }],
    ],
    status: "pending",
  },
  {
    steps: [
      paid,
      ["Record a parcel"],
      ["Record a return", { Cable: "1" }],
      ["Record a refund", { Amount: "12.50", "The bank’s reference": "B-1" }],
    ],
    status: "completed",
  },
  {
    steps: [
      ["Record a payment", { Amount: "500", "The bank’s reference": "T-2" }],
      ["Record a refund", { "The bank’s reference": "B-2" }],
      ["Release"],
    ],
    status: "processing",
  },
  {
    before: (db, id) =>
      changeOrder(db, id, {
        status: "on_hold",
        matters: [{ reason: "disputed", money: { amount: 4_080_000n, currency: "EUR" } }],
      }),
    steps: [["Mark as dealt with", { "objected to the payment": "" }], ["Cancel the order"]],
    status: "cancelled",
  },
];

/** One of each kind, or what somebody packs in a day. */
const ORDERS = byDepth({ usual: KINDS.length, deep: 40 });

test(`${ORDERS} orders of every kind are handled on a phone, by keyboard and without a script`, async () => {
  const { db, origin, cookies } = await startWithOrders(ORDERS);
  await withPage({ viewport: PHONE, javaScriptEnabled: false, reducedMotion: "reduce" }, async (page) => {
    await page.context().addCookies(cookies);
    for (let id = 1; id <= ORDERS; id += 1) {
      const kind = KINDS[id % KINDS.length] ?? expect.fail();
      await kind.before?.(db, id);
      await page.goto(`${origin}/admin/orders/A-${1_000 + id}`);
      for (const [name, given] of kind.steps) {
        await doByKeyboard(page, name, given);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
      }
      const { status } = await db.selectFrom("orders").select("status").where("id", "=", id).executeTakeFirstOrThrow();
      expect([id, status]).toEqual([id, kind.status]);
    }
  });
});

test("the pages of an order fit every screen and are accessible in both schemes", async () => {
  const { db, origin, cookies } = await startWithOrders(1);
  await changeOrder(db, 1, { matters: [{ reason: "sent_on_hold" }] });
  await withPage({ reducedMotion: "reduce" }, async (page) => {
    await page.context().addCookies(cookies);
    for (const path of ["", "/paid", "/correct", "/mail", "/done", "/push", "/packing-slip", "/pro-forma"]) {
      await page.goto(`${origin}/admin/orders/A-1001${path}`);
      await page.emulateMedia({ colorScheme: "light" });
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
      }
      expect([path, await findBarriers(page)]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect([path, await findBarriers(page, "colours")]).toEqual([path, []]);
    }
  });
});
