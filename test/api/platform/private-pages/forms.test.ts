import { expect, test } from "vitest";
import { makeLoggerOptions } from "../../../../api/platform/monitoring/log.ts";
import { startOneForm } from "./one-form.ts";

const own = "https://shop.example";

/** Sends the form as nginx passes it on from https://shop.example. */
const sendForm = (app: Awaited<ReturnType<typeof startOneForm>>["app"], headers: Record<string, string>) =>
  app.inject({
    ...{ method: "POST", url: "/cart/lines", payload: "sku=A" },
    headers: {
      ...{ "content-type": "application/x-www-form-urlencoded", host: "api" },
      ...{ "x-forwarded-host": "shop.example", "x-forwarded-proto": "https", ...headers },
    },
  });

const foreign: [from: string, headers: Record<string, string>][] = [
  ["from another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
  ["from another site that claims our origin", { "sec-fetch-site": "cross-site", origin: own }],
  ["from another host of our domain", { "sec-fetch-site": "same-site", origin: "https://blog.shop.example" }],
  ["with Sec-Fetch-Site twice", { "sec-fetch-site": "same-origin, cross-site", origin: own }],
  ["with Origin null from an old browser", { origin: "null" }],
  ["from another site in an old browser", { origin: "https://evil.example" }],
  ["from our host without TLS", { origin: "http://shop.example" }],
  ["from another port", { origin: "https://shop.example:8443" }],
  ["with our host only as Host", { origin: "https://api" }],
  ["from a page that the person opened, of another site", { "sec-fetch-site": "none", origin: "https://evil.example" }],
  ["without either header", {}],
];

test("fault 31: a form from anywhere but the shop's own pages is refused and changes nothing", async () => {
  const { db, app } = await startOneForm();
  for (const [from, headers] of foreign) {
    const answer = await sendForm(app, headers);
    expect([from, answer.statusCode, answer.headers["set-cookie"]]).toEqual([from, 403, undefined]);
    expect(answer.body).toContain("<h1>This form was sent from another site</h1>");
  }
  expect(await db.selectFrom("sessions").select("id").execute()).toEqual([]);
});

const ours: [why: string, headers: Record<string, string>][] = [
  ["Sec-Fetch-Site says so, even after a page without a referrer", { "sec-fetch-site": "same-origin", origin: "null" }],
  ["Origin says so in an old browser", { origin: own }],
  ["the person repeats it, and Origin is ours", { "sec-fetch-site": "none", origin: own }],
];

test("a form of the shop's own pages is taken, whatever the browser says it by", async () => {
  const { app } = await startOneForm();
  for (const [why, headers] of ours) expect([why, (await sendForm(app, headers)).statusCode]).toEqual([why, 303]);
});

const wrong: [what: string, type: string, payload: string, status: number][] = [
  ["an unknown field", "application/x-www-form-urlencoded", "sku=A&sesame=1", 400],
  ["a field twice", "application/x-www-form-urlencoded", "sku=sesame&sku=B", 400],
  ["nothing", "application/x-www-form-urlencoded", "", 400],
  ["JSON", "application/json", '{"sku":"sesame"}', 400],
  ["a file", "multipart/form-data; boundary=x", "--x--", 400],
  ["no type", "", "sku=sesame", 400],
  ["more than 64 KiB", "application/x-www-form-urlencoded", `sku=sesame${"x".repeat(65_536)}`, 413],
];

test("a form that isn't the page's own is answered by a page that doesn't repeat it", async () => {
  const { app } = await startOneForm();
  for (const [what, type, payload, status] of wrong) {
    const headers = { "sec-fetch-site": "same-origin", ...(type && { "content-type": type }) };
    const answer = await app.inject({ method: "POST", url: "/cart/lines", payload, headers });
    const { "content-type": answered } = answer.headers;
    expect([what, answer.statusCode, answered]).toEqual([what, status, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("<h1>");
    expect(answer.body).not.toContain("sesame");
  }
});

test("a wrong method is answered by a page that says which are right", async () => {
  const { customer } = await startOneForm();
  const answer = await customer().get("/cart/lines");
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, "POST"]);
  expect(answer.body).toContain("<h1>This page can’t be shown</h1>");
});

test("a fault of ours is a page with a reference, whose reason only the log has", async () => {
  const log: string[] = [];
  const stream = { write: (line: string) => void log.push(line) };
  const { customer } = await startOneForm({ logger: { ...makeLoggerOptions({ texts: [], patterns: [] }), stream } });
  const answer = await customer().get("/cart/broken?key=open");
  expect(answer.statusCode).toBe(500);
  expect(answer.body).toContain(`quote this reference: ${String(answer.headers["x-request-id"])}`);
  expect(answer.body).not.toContain("sesame");
  expect(log.join("")).toContain("The password is sesame.");
  expect(log.join("")).not.toContain("key=open");
});

test("fault 22: while the database is away, people get a page that says when to come back", async () => {
  const { db, customer } = await startOneForm();
  const browser = customer();
  await browser.post("/cart/lines", { sku: "A" });
  await db.schema.alterTable("sessions").renameTo("sessions_away").execute();
  const answer = await browser.get("/cart");
  expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "5"]);
  expect(answer.body).toContain("<title>The shop can’t answer right now | Shop</title>");
});
