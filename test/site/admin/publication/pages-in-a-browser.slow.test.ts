import { expect, test } from "vitest";
import { MAIN, readDrafts, saveToDrafts } from "../../../../site/admin/content/drafts.ts";
import { moveRef, readCommit, readFile } from "../../../../site/admin/content/git.ts";
import { writePublication } from "../../../../site/admin/publication/changes.ts";
import { findBarriers } from "../../../accessibility.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { shops } from "../../../workspace.ts";
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
  const request = { drafts: await readDrafts(repository), files: [product], editor: ANN };
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
