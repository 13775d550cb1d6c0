import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { PageProblem } from "../../../../api/platform/private-pages/problem-page.ts";
import { openTemplates } from "../../../../api/platform/private-pages/templates.ts";
import { staffPages } from "../../../../api/staff/frame/pages.ts";
import { serveStaff } from "../../../../api/staff/frame/scope.ts";
import { homePage } from "../../../../api/staff/frame/views.ts";
import { addEditor, setRights } from "../../../../api/staff/sign-in/editors.ts";
import { type Right, requireRight } from "../../../../api/staff/staff-member.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { buildTemplates } from "../../platform/private-pages/pages.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { ann, startEditors, startWithAnn } from "../sign-in/editors-shop.ts";

/** An API with Ann, who may do what `may` says, whose only page beside the start page is one that takes `orders`. */
async function startOnePage(may: readonly Right[]) {
  const shop = await startEditors();
  const { app, db } = shop;
  const templates = openTemplates({ builds: openBuilds(await buildTemplates()), pages: staffPages, log: app.log });
  const clock = { time: 0 };
  app.register(async (staff) => {
    const limits = { unknownPerMinute: 3, metrics: createMetrics(), now: () => clock.time };
    serveStaff(staff, templates, { db, hasContent: true, ...limits });
    staff.get("/admin/orders", async (request, reply) => {
      const { name } = await requireRight(request, "orders");
      return reply.page(homePage, { name }, 200);
    });
    staff.post("/admin/orders", async (request) => {
      const { id, name, email, rights } = await requireRight(request, "orders");
      return { id, name, email, rights: [...rights] };
    });
    staff.get("/admin/orders/:number", async () => {
      throw new PageProblem("not-found");
    });
  });
  const browser = shop.browser();
  await browser.enrol(await addEditor(db, ann, new Set(may)));
  return { app, db, browser, newBrowser: shop.browser, clock };
}

const linksOf = (page: string) => [...page.matchAll(/<a href="(\/admin[^"]*)"/g)].map(([, path]) => path);
const titleOf = (page: string) => /<title>(.*)<\/title>/.exec(page)?.[1];

const WRITING = ["/admin/cms/", "/admin/prices", "/admin/publish", "/admin/history"];
const ORDERS = ["/admin/orders", "/admin/stock"];

test.each<[readonly Right[], boolean, string[]]>([
  [["content"], true, WRITING],
  [["orders"], true, ORDERS],
  [["shop"], true, []],
  [["content", "orders", "shop"], true, [...ORDERS, ...WRITING]],
  // Without a repository there is nothing to write into.
  [["content", "orders", "shop"], false, ORDERS],
])("the start page leads to what its reader may open: %j, with a repository %j", async (may, hasContent, expected) => {
  const editors = { origin: "https://shop.example", hasContent };
  const { browser } = await startWithAnn({ may, editors, sessionPages: await buildTemplates() });
  const { statusCode, body, headers } = await browser.get("/admin");
  expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(titleOf(body)).toBe("Run the shop");
  expect(body).toContain("You are signed in as Ann Archer.");
  expect(linksOf(body)).toEqual(["/admin", ...expected, ...expected]);
  expect(body.includes("nothing here yet that you may open")).toBe(expected.length === 0);
  expect(body).not.toContain("<!--");
  expect(await findHtmlFaults(body, "/admin")).toEqual([]);
});

test("the start page is in the shop's language, and a name on it is text", async () => {
  const sessionPages = await buildTemplates({ ...shopFacts(), locale: "de-AT" });
  const { browser, db } = await startWithAnn({ sessionPages });
  await db.updateTable("editors").set({ name: "<b>{{ Zoë }}" }).execute();
  const { body } = await browser.get("/admin");
  expect(body).toContain('<html lang="de">');
  expect(body).toContain("Sie sind angemeldet als &lt;b&gt;{{ Zoë }}.");
  expect(body).toContain(">Bestellungen</a>");
});

test("who lacks a right gets a page in words instead, from the next request on, and has it back as soon", async () => {
  const { browser, db } = await startOnePage(["orders"]);
  expect((await browser.get("/admin/orders")).statusCode).toBe(200);
  const sent = await browser.submit("/admin/orders");
  expect(sent.json()).toEqual({ id: expect.any(Number), ...ann, rights: ["orders"] });
  await setRights(db, ann.email, new Set(["content", "shop"]));
  for (const refused of [await browser.get("/admin/orders"), await browser.submit("/admin/orders")]) {
    expect(refused.statusCode).toBe(403);
    expect(titleOf(refused.body)).toBe("You may not do this | Run the shop");
    expect(refused.body).toContain("Orders and stock of this shop are for others.");
    expect(linksOf(refused.body)).toEqual(["/admin", ...WRITING, "/admin"]);
  }
  await setRights(db, ann.email, new Set(["orders"]));
  expect((await browser.get("/admin/orders")).statusCode).toBe(200);
});

test("with the right to texts alone, no address of the API below /admin answers but the start page", async () => {
  const shop = await startEditors({ sessionPages: await buildTemplates() });
  const addresses = new Set<string>();
  shop.app.addHook("onRoute", ({ url, method }) => {
    if (/^\/admin(\/|$)/.test(url)) for (const each of [method].flat()) addresses.add(`${each} ${url}`);
  });
  const browser = shop.browser();
  await browser.enrol(await addEditor(shop.db, ann, new Set(["content"])));
  const open = ["GET /admin", "GET /admin/", "HEAD /admin", "HEAD /admin/", "POST /admin/sign-out"];
  expect([addresses.has("GET /admin"), addresses.has("POST /admin/sign-out")]).toEqual([true, true]);
  for (const address of [...addresses].filter((each) => !open.includes(each))) {
    const [method = "", url = ""] = address.replaceAll(/:\w+|\*/g, "A-1042").split(" ");
    const { statusCode } = method === "POST" ? await browser.submit(url) : await browser.get(url);
    // What is missing in a request, or its method, may be told before who may send it.
    expect([address, [400, 403, 405, 415].includes(statusCode)]).toEqual([address, true]);
  }
});

test("a page marks where it is, and what goes wrong is a page of /admin too", async () => {
  const { browser } = await startOnePage(["orders"]);
  const missing = await browser.get("/admin/orders/A-1");
  expect([missing.statusCode, titleOf(missing.body)]).toEqual([404, "Page not found | Run the shop"]);
  expect(linksOf(missing.body)).toEqual(["/admin", ...ORDERS, "/admin"]);
  const unknown = await browser.get("/admin/nowhere");
  expect([unknown.statusCode, linksOf(unknown.body)]).toEqual([404, ["/admin", ...ORDERS, "/admin"]]);
  const page = await browser.get("/admin/orders");
  expect(page.body).toContain('<a href="/admin" aria-current="page">');
});

test("who isn't signed in is led to where one signs in and back, and a form isn't lost", async () => {
  const { newBrowser } = await startOnePage(["orders"]);
  const stranger = newBrowser({ address: "192.0.2.2" });
  const page = await stranger.get("/admin/orders?tab=all&q=a%26b");
  expect([page.statusCode, page.headers.location]).toEqual([
    302,
    "/admin/sign-in?next=/admin/orders%3Ftab%3Dall%26q%3Da%2526b",
  ]);
  expect((await stranger.get("/admin/nowhere")).headers.location).toBe("/admin/sign-in?next=/admin/nowhere");
  // nginx shows the page that says how to send it again.
  const form = await stranger.submit("/admin/orders", { note: "x" });
  expect([form.statusCode, form.headers["x-accel-redirect"], form.body]).toEqual([401, "/admin/signed-out", ""]);
});

test("after its limit of requests without a session, an address gets 429 and the database isn't asked; others go on", async () => {
  const { newBrowser, browser, clock } = await startOnePage(["orders"]);
  const stranger = newBrowser({ address: "192.0.2.2" });
  for (let requests = 0; requests < 3; requests += 1)
    expect((await stranger.get("/admin/orders")).statusCode).toBe(302);
  const refused = await stranger.get("/admin/orders");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "60"]);
  expect(titleOf(refused.body)).toBe("Too many requests | Run the shop");
  expect((await browser.get("/admin/orders")).statusCode).toBe(200);
  clock.time += 60_000;
  expect((await stranger.get("/admin/orders")).statusCode).toBe(302);
});

test("a form of another site does nothing, though the cookie came along", async () => {
  const { app, browser } = await startOnePage(["orders"]);
  const answer = await app.inject({
    ...{ method: "POST", url: "/admin/orders", payload: "" },
    headers: {
      ...{ "x-forwarded-host": "shop.example", "x-forwarded-proto": "https", "sec-fetch-site": "cross-site" },
      ...{ cookie: `__Host-admin=${browser.jar.get("__Host-admin")}`, origin: "https://evil.example" },
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  expect([answer.statusCode, titleOf(answer.body)]).toEqual([
    403,
    "This form was sent from another site | Run the shop",
  ]);
});

test("while the database is away, a page of /admin says so, and leads nobody to sign in", async () => {
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  const browser = (await startEditors({ db, sessionPages: await buildTemplates() })).browser();
  browser.jar.set("__Host-admin", "x".repeat(43));
  const { statusCode, body, headers } = await browser.get("/admin");
  expect([statusCode, headers["retry-after"]]).toEqual([503, "5"]);
  expect(titleOf(body)).toBe("The shop can’t answer right now | Run the shop");
  expect(linksOf(body)).toEqual(["/admin", "/admin"]);
});
