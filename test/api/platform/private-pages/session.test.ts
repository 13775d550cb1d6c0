import { expect, test } from "vitest";
import { ago } from "../../../../api/platform/database/columns.ts";
import { filledForm } from "../../people/checkout/filled-form.ts";
import { startCheckout } from "../../people/checkout/start-checkout.ts";
import { startOneForm } from "./one-form.ts";

const DAY_MS = 86_400_000;

test("the first form sets one cookie, which only the shop's own requests carry and no script reads", async () => {
  const { db, customer } = await startOneForm();
  const browser = customer();
  const answer = await browser.post("/cart/lines", { sku: "A" });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/cart?opened=1"]);
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const stored = await db.selectFrom("sessions").selectAll().execute();
  expect((await browser.get("/cart?opened=1")).body).toBe(String(stored[0]?.id));
  // Whoever reads the database can't take over a session.
  expect(JSON.stringify(stored)).not.toContain(browser.jar.get("__Host-session"));
});

test("on plain http the cookie has neither the prefix nor Secure, and isn't a session under TLS", async () => {
  const { customer } = await startOneForm();
  const browser = customer("http://127.0.0.1:8080");
  const answer = await browser.post("/cart/lines", { sku: "A" });
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const other = customer();
  other.jar.set("session", browser.jar.get("session") ?? "");
  expect((await other.get("/cart")).body).toBe("none");
});

test("the value never changes, and no GET sets a cookie", async () => {
  const { db, customer } = await startOneForm();
  const browser = customer();
  expect((await browser.get("/cart")).headers["set-cookie"]).toBeUndefined();
  await browser.post("/cart/lines", { sku: "A" });
  const value = browser.jar.get("__Host-session");
  const again = await browser.post("/cart/lines", { sku: "B" });
  expect([again.headers.location, browser.jar.get("__Host-session")]).toEqual(["/cart", value]);
  expect((await browser.get("/cart")).headers["set-cookie"]).toBeUndefined();
  expect(await db.selectFrom("sessions").select("id").execute()).toHaveLength(1);
});

test("fault 32: a planted cookie is never adopted", async () => {
  const { customer } = await startOneForm();
  for (const planted of ["x".repeat(43), "", "short", "a".repeat(5_000), "%00", '"quoted"']) {
    const victim = customer();
    victim.jar.set("__Host-session", planted);
    expect((await victim.get("/cart")).body).toBe("none");
    await victim.post("/cart/lines", { sku: "A" });
    expect(victim.jar.get("__Host-session")).toMatch(/^[\w-]{43}$/);
    expect(victim.jar.get("__Host-session")).not.toBe(planted);
    expect((await victim.get("/cart")).body).toMatch(/^\d+$/);
  }
});

test("a session ends 30 days after its last use, which is noted once an hour", async () => {
  const { db, customer } = await startOneForm();
  const browser = customer();
  await browser.post("/cart/lines", { sku: "A" });
  const value = browser.jar.get("__Host-session");
  const setUsed = (milliseconds: number) =>
    db
      .updateTable("sessions")
      .set({ used_at: ago(milliseconds) as never })
      .execute();
  const readUsed = async () => (await db.selectFrom("sessions").select("used_at").executeTakeFirstOrThrow()).used_at;
  await setUsed(1_800_000);
  const recent = await readUsed();
  await browser.get("/cart");
  expect(await readUsed()).toBe(recent);
  await setUsed(29 * DAY_MS);
  const old = await readUsed();
  expect((await browser.get("/cart")).body).toMatch(/^\d+$/);
  expect(await readUsed()).not.toBe(old);
  await setUsed(31 * DAY_MS);
  expect((await browser.get("/cart")).body).toBe("none");
  await browser.post("/cart/lines", { sku: "A" });
  expect(browser.jar.get("__Host-session")).not.toBe(value);
});

test("fault 37: a browser that keeps no cookies is told so after its first form, and isn't sent in circles", async () => {
  const { customer } = await startOneForm();
  const browser = customer();
  const { location } = (await browser.post("/cart/lines", { sku: "A" })).headers;
  browser.jar.clear();
  const answer = await browser.get(String(location));
  expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  expect(answer.body).toContain("<h1>Your browser doesn’t keep cookies</h1>");
  expect((await browser.get("/cart")).body).toBe("none");
});

test.each([
  ["/cart/quantities", { country: "", "quantity:KES-C2-BK:2": "3" }],
  ["/cart/lines", { sku: "KES-C2-BK", quantity: "0" }],
  ["/checkout", filledForm() as Record<string, string>],
  ["/checkout/place", { checkout: "1", payment: "transfer", quote: "x".repeat(43), shown: "abcdefgh:2:1.00:i;0;2.00" }],
])("every form keeps the session's cookie for another 30 days: %s", async (path, fields) => {
  const { customer, otherCustomer } = await startCheckout();
  const value = customer.jar.get("__Host-session");
  const answer = await customer.post(path, fields);
  expect(String(answer.headers["set-cookie"])).toContain(`__Host-session=${value}; Max-Age=2592000;`);
  expect((await otherCustomer().post(path, fields)).headers["set-cookie"]).toBeUndefined();
});
