import { expect, onTestFinished, test, vi } from "vitest";
import { MAIN, readDrafts, saveToDrafts } from "../../../../site/admin/content/drafts.ts";
import { moveRef, readCommit, readFile } from "../../../../site/admin/content/git.ts";
import { writePublication } from "../../../../site/admin/publication/changes.ts";
import { endPublication, readRequest, writeProgress } from "../../../../site/admin/publication/request.ts";
import { findBarriers } from "../../../accessibility.ts";
import { eventually } from "../../../eventually.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { shops } from "../../../workspace.ts";
import { validContent } from "../../content-check/content-tree.ts";
import { openInBrowser } from "../cms-browser.ts";
import { ANN, commitToMain, demoShopWith, filesOf } from "../repository.ts";

/** A history of one publication, and drafts with a mistake and with a contradiction to what is live. */
async function makeHistory(repository: string, product: string, page: string): Promise<void> {
  const mainIs = async () => (await readCommit(repository, MAIN)) ?? "";
  const save = async (path: string, edit: (text: string) => string) => {
    const file = await readFile(repository, await readDrafts(repository), path);
    const bytes = Buffer.from(edit(file?.bytes.toString() ?? ""));
    const seen = [{ path, id: file?.id }];
    await saveToDrafts(repository, { changes: [{ path, bytes }], seen, author: ANN, message: `Edit ${path}` });
  };
  await save(product, (text) => text.replace(/price: "[\d.]+"/, 'price: "12345.00"'));
  const main = await mainIs();
  const request = { drafts: await readDrafts(repository), files: [product], editor: ANN, mayShop: true };
  await moveRef(repository, MAIN, await writePublication(repository, main, request), main);
  await save(product, (text) => text.replace(/sku: .*/, "sku: a b"));
  await save(page, (text) => text.replace(/^title: .*$/m, `title: ${"Donaudampfschifffahrtsgesellschaft".repeat(3)}`));
  const live = (await readFile(repository, MAIN, page))?.bytes.toString() ?? "";
  await commitToMain(repository, { [page]: live.replace(/^title: .*$/m, "title: Live") }, await mainIs());
}

test.each([
  [
    "en",
    demoShopWith("barcode-scanners/tavrel-pip", "pos-terminals/marlstead-harbour-15"),
    "content/products/barcode-scanners/tavrel-pip.md",
    "content/pages/about.md",
  ],
  ["de", filesOf(shops.second), "content/products/kettles/kawa.md", "content/pages/contact.md"],
])(
  "the pages of the admin are valid, fit every screen, and are accessible in both schemes: %s",
  async (language, files, product, about) => {
    await openInBrowser({ files, reducedMotion: "reduce" }, async (page, repository, url) => {
      await makeHistory(repository, product, about);
      const publication = (await readCommit(repository, `${MAIN}~1`)) ?? "";
      const paths = ["", "/prices", "/publish", "/history", `/history/${publication}`, "/nowhere"];
      for (const path of paths) {
        const html = (await (await page.goto(`${url}/admin${path}`))?.text()) ?? "";
        expect(await findHtmlFaults(html, path)).toEqual([]);
        expect(html).toContain(`<html lang="${language}">`);
        if (path === "/publish") for (const shown of ["Donaudampf", "a b"]) expect(html).toContain(shown);
        for (const width of [320, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
        }
        expect([path, "light", await findBarriers(page)]).toEqual([path, "light", []]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect([path, "dark", await findBarriers(page, "colours")]).toEqual([path, "dark", []]);
        await page.emulateMedia({ colorScheme: "light" });
      }
    });
  },
);

test("publishing says what it waits for, sends once, and shows the progress in place; typed prices aren't left unasked", async () => {
  // Without mistakes, as what is published must be.
  const files = Object.fromEntries(Object.entries(validContent).map(([path, text]) => [`content/${path}`, text]));
  vi.stubEnv("BASE_URL", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  await openInBrowser({ files }, async (page, repository, url) => {
    await page.goto(`${url}/admin/prices`);
    await page.getByRole("textbox", { name: "Price" }).first().fill("77.00");
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.getByRole("link", { name: "History" }).click({ noWaitAfter: true });
    await eventually(() => expect(asked).toEqual(["beforeunload"]));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved as drafts").waitFor();
    await page.getByRole("link", { name: "Publish" }).click();
    const held = Promise.withResolvers<void>();
    // Before the form is sent: while a page is on its way, a browser tells nothing of the one before.
    await page.route("**/api/admin/session", async (route) => {
      await held.promise;
      await route.fulfill({ status: 204 });
    });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    const publish = page.getByRole("button", { name: "Publish the ticked files" });
    await publish.click();
    await publish.click();
    expect(await page.locator("#wait").getByRole("status").textContent()).toBe("Checking what you want to publish …");
    expect(await publish.getAttribute("aria-busy")).toBe("true");
    held.resolve();
    await page.getByText("Ann Änderung is publishing. Collecting the changes …").waitFor();
    expect(sent).toEqual(["/admin/publish"]);
    await page.evaluate("window.isThisPage = true");
    const { id, editor } = readRequest(repository) ?? {};
    const progress = { id: `${id}`, editor: editor ?? ANN, since: "2026-11-23T08:00:00Z" };
    writeProgress(repository, { ...progress, step: "build" });
    await page.getByText("Checking and building the shop …").waitFor();
    const items = ["content/products/barcode-scanners/kestrel-c2.md:3: title is missing."];
    const failure = { reason: "mistakes", items } as const;
    endPublication(repository, { ...progress, step: "build", isLive: false, failure });
    await page
      .getByRole("listitem")
      .filter({ hasText: /line 3: Title is missing/ })
      .waitFor();
    await page.getByRole("button", { name: "Publish the ticked files" }).waitFor();
    expect(await page.evaluate("window.isThisPage")).toBe(true);
    expect(asked).toEqual(["beforeunload"]);
  });
});

test("what a price means stands below it as soon as it's typed, and one with two readings is chosen there", async () => {
  const product = "content/products/barcode-scanners/tavrel-pip.md";
  const files = demoShopWith("barcode-scanners/tavrel-pip");
  await openInBrowser({ files, reducedMotion: "reduce" }, async (page, repository, url) => {
    await page.goto(`${url}/admin/prices?category=barcode-scanners`);
    const [price, reading] = [page.locator("#price-0"), page.locator("#reading-0")];
    await price.fill("€ 1.189,5");
    await price.press("Tab");
    await reading.getByText("€1,189.50").waitFor();
    expect(await price.inputValue()).toBe("1189.50");
    await price.fill("1.089");
    await price.press("Tab");
    await reading.getByText("“1.089” may be €1,089.00 or €1.09").waitFor();
    expect(await price.getAttribute("aria-invalid")).toBe("true");
    expect(await findBarriers(page)).toEqual([]);
    await reading.getByText("€1.09", { exact: true }).click();
    await reading.getByText("€1.09", { exact: true }).and(reading.locator(".hint")).waitFor();
    expect(await price.inputValue()).toBe("1.09");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved as drafts").waitFor();
    const saved = await readFile(repository, await readDrafts(repository), product);
    expect(saved?.bytes.toString()).toContain('price: "1.09"');
  });
});
