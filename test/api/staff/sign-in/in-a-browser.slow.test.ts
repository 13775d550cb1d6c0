import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { RIGHTS } from "../../../../api/contract/staff-rights.ts";
import { addEditor, removeEditor, renewLink, setRights } from "../../../../api/staff/sign-in/editors.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { findBarriers } from "../../../accessibility.ts";
import { withPage } from "../../../end-to-end/visitors/with-page.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { startAdmin } from "../../../nginx/admin-process.ts";
import { runNginx } from "../../../nginx/run-nginx.ts";
import { signInFiles } from "../../../nginx/sign-in-files.ts";
import { buildTemplates } from "../../platform/private-pages/pages.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { addDevice } from "./device.ts";
import { ann, startEditors } from "./editors-shop.ts";

/** A shop in `locale` with an admin at http://localhost, as `npm start` has it. */
async function startLocal(locale = "en-IE") {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const sessionPages = await buildTemplates({ ...shopFacts(), locale });
  const { app, db } = await startEditors({ editors: { origin, hasContent: true }, sessionPages });
  const api = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const { socket } = await startAdmin();
  const refused = readFileSync(join(sessionPages, "admin/refused"), "utf8");
  const files = { ...signInFiles(locale), ".session/admin/refused": refused };
  const nginx = await runNginx(files, Number(api.port), [], { port, admin: { origin, socket } });
  onTestFinished(() => nginx.stop());
  return { app, db, origin };
}

/** Looks at a page of /admin that is open. */
async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect([page.url(), await page.evaluate("document.documentElement.scrollWidth")]).toEqual([page.url(), width]);
  }
  expect([page.url(), await findBarriers(page)]).toEqual([page.url(), []]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect([page.url(), await findBarriers(page, "colours")]).toEqual([page.url(), []]);
}

const message = (page: Page) => page.locator("[data-message]:visible").textContent();

test("an editor enrols with a link, signs out, and signs in again, where they were going", async () => {
  const { db, origin } = await startLocal();
  await withPage({}, async (page) => {
    await addDevice(page);
    await page.goto(`${origin}/admin/enrol#${await addEditor(db, ann)}`);
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await page.waitForURL(`${origin}/admin`);
    expect(await page.locator("main").textContent()).toContain("You are signed in as Ann Archer.");
    await page.evaluate(() => fetch("/admin/sign-out", { method: "POST" }));
    await page.goto(`${origin}/admin/cms/#/collections/products`);
    expect(page.url()).toBe(`${origin}/admin/sign-in?next=/admin/cms/#/collections/products`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${origin}/admin/cms/#/collections/products`);
  });
});

test("at 127.0.0.1 a link leads to localhost, where passkeys work, with what is behind its #", async () => {
  const { db, origin } = await startLocal();
  await withPage({}, async (page) => {
    await addDevice(page);
    const link = await addEditor(db, ann);
    await page.goto(`${origin.replace("localhost", "127.0.0.1")}/admin/enrol#${link}`);
    expect(page.url()).toBe(`${origin}/admin/enrol#${link}`);
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await page.waitForURL(`${origin}/admin`);
  });
});

test("an editor who comes from another site's link and is signed in already needn't sign in again", async () => {
  const { db, origin } = await startLocal();
  await withPage({}, async (page) => {
    await addDevice(page);
    await page.goto(`${origin}/admin/enrol#${await addEditor(db, ann)}`);
    await page.getByRole("button").click();
    await page.waitForURL(`${origin}/admin`);
    await page.goto(`data:text/html,<a href="${origin}/admin/publish">the shop</a>`);
    await page.getByRole("link").click();
    await page.waitForURL(`${origin}/admin/publish`);
  });
});

test("after signing in, nobody is led out of the admin", async () => {
  const { db, origin } = await startLocal();
  await withPage({}, async (page) => {
    await addDevice(page);
    await page.goto(`${origin}/admin/enrol#${await addEditor(db, ann)}`);
    await page.getByRole("button").click();
    await page.waitForURL(`${origin}/admin`);
    for (const next of [
      "https://evil.example",
      "//evil.example",
      "/administrator",
      "javascript:alert(1)",
      "/\\evil.example",
      "/admin/../cart",
      "/admin/..//evil.example",
    ]) {
      await page.goto(`${origin}/admin/sign-in?next=${encodeURIComponent(next)}`);
      await page.waitForURL(`${origin}/admin`);
    }
  });
});

test.each(["en-IE", "de-AT"])(
  "the start page and a refusal fit every screen and are accessible in both schemes: %s",
  async (locale) => {
    const { db, origin } = await startLocal(locale);
    await withPage({}, async (page) => {
      await addDevice(page);
      await page.goto(`${origin}/admin/enrol#${await addEditor(db, ann, new Set(RIGHTS))}`);
      await page.getByRole("button").click();
      await page.waitForURL(`${origin}/admin`);
      await expectAccessible(page);
      await setRights(db, ann.email, new Set(["shop"]));
      for (const path of ["/admin", "/admin/cms/", "/admin/nowhere"]) {
        await page.goto(origin + path);
        await expectAccessible(page);
      }
    });
  },
);

test("what goes wrong is said in words: a used link, a cancelled and an unknown passkey, a second one, too many, no API", async () => {
  const { app, db, origin } = await startLocal();
  await withPage({}, async (page) => {
    const setFinger = await addDevice(page);
    const click = async (expected: RegExp) => {
      await page.getByRole("button").click();
      await expect.poll(() => message(page)).toMatch(expected);
      expect(await page.getByRole("button").isEnabled()).toBe(true);
    };
    const link = await addEditor(db, ann);
    await page.goto(`${origin}/admin/enrol#${link}`);
    await setFinger(false);
    await click(/^That didn’t finish/);
    await setFinger(true);
    await page.getByRole("button").click();
    await page.waitForURL(`${origin}/admin`);
    await page.goto(`${origin}/admin/enrol#${link}`);
    await click(/^This link has been used or has expired/);
    await page.goto(`${origin}/admin/enrol#${await renewLink(db, ann.email, false)}`);
    await page.reload();
    await click(/has a passkey for this shop already/);
    await removeEditor(db, ann.email);
    await page.goto(`${origin}/admin/sign-in`);
    await click(/^This passkey doesn’t open this shop/);
    await setFinger(false);
    await click(/^That didn’t finish/);
    await db.updateTable("request_counts").set({ requests: 1_000 }).execute();
    await click(/^Too many attempts/);
    await app.close();
    await click(/^The shop can’t answer right now/);
  });
});

test("without passkeys or without JavaScript, the page says what it needs", async () => {
  const { origin } = await startLocal("de-DE");
  await withPage({}, async (page) => {
    await page.addInitScript("delete window.PublicKeyCredential");
    await page.goto(`${origin}/admin/sign-in`);
    expect(await message(page)).toMatch(/^Dieser Browser kann keine Passkeys verwenden/);
    expect(await page.getByRole("button").isVisible()).toBe(false);
  });
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${origin}/admin/sign-in`);
    expect(await page.locator("noscript").textContent()).toMatch(/^Passkeys brauchen JavaScript/);
  });
});

test.each(["en-IE", "de-AT"])(
  "the pages are valid, fit every screen, and are accessible in both schemes: %s",
  async (locale) => {
    const { origin } = await startLocal(locale);
    for (const path of ["/admin/sign-in", "/admin/enrol"]) {
      const html = await (await fetch(origin + path)).text();
      expect(await findHtmlFaults(html, path)).toEqual([]);
      expect(html).toContain(`<html lang="${locale.slice(0, 2)}">`);
      await withPage({ reducedMotion: "reduce" }, async (page) => {
        await page.goto(origin + path);
        // With every message, since each may be shown.
        await page.evaluate("document.querySelectorAll('[hidden]').forEach((each) => { each.hidden = false; })");
        for (const width of [320, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
        }
        expect([path, "light", await findBarriers(page)]).toEqual([path, "light", []]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect([path, "dark", await findBarriers(page, "colours")]).toEqual([path, "dark", []]);
      });
    }
  },
);
