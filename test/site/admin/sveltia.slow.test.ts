import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { DRAFTS } from "../../../site/admin/drafts.ts";
import {
  expectOneLineEach,
  lastChange,
  openCms,
  openEntry,
  openInBrowser,
  saveEntry,
  smallShop,
  useCms,
} from "./cms-browser.ts";
import { BOB, textOf } from "./repository.ts";
import { idOf, save } from "./savers.ts";

useCms();

const picture = (name: string) => ({
  name,
  mimeType: "image/svg+xml",
  // Sveltia takes a picture that it has already for the same one.
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><title>${name}</title></svg>`),
});

const box = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

test("entries are opened and saved in Sveltia: a changed title is one line, and no request leaves the shop", async () => {
  await expectOneLineEach(["accessories/ferncote-cleaning-cards", "pages_mdx/returns", "shop/store"]);
});

test("words that are typed into a text change their paragraph, and no other", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "accessories/ferncote-cleaning-cards");
    await page.locator("[contenteditable=true]").last().locator("p").first().click();
    await page.keyboard.press("Home");
    await page.keyboard.type("New words. ");
    await saveEntry(page);
    const [before, after, ...more] = await lastChange(repository);
    expect(more).toEqual([]);
    expect(after?.replace("New words. ", "").slice(1)).toBe(before?.slice(1));
  });
});

test("what the check says of a saved entry is shown beside it", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "pages/terms");
    await page.getByRole("textbox", { name: "Former addresses" }).fill("contact");
    await saveEntry(page);
    const dialog = page.locator("dialog[open]").filter({ hasText: "The check says" });
    await dialog.waitFor();
    expect(await dialog.textContent()).toMatch(/content\/pages\/terms\.md:\d+: .*contact/);
    expect(await textOf(repository, DRAFTS, "content/pages/terms.md")).toContain("formerly: [contact]");
  });
});

test("a new product is written with a picture beside it", async () => {
  await openCms(async (page, repository, cms) => {
    await page.goto(`${cms}#/collections/accessories/new`);
    const fill = (name: string, text: string) => page.getByRole("textbox", { name }).first().fill(text);
    await fill("Title", "Zed Hub: 4 ports");
    await fill("Brand", "Zed");
    await fill("Summary", "A hub.");
    await fill("Price", "12.00");
    await page.getByRole("button", { name: /Add .*Pictures/ }).click();
    await page.locator("input[type=file]").first().setInputFiles(picture("zed-hub.svg"));
    await page.getByRole("textbox", { name: "Description of the picture" }).fill("The hub");
    await page.getByRole("button", { name: /Add .*Specifications/ }).click();
    await page.getByRole("textbox", { name: "Name" }).first().fill("Reads: all");
    await page.getByRole("textbox", { name: "Value" }).first().fill("1D\n2D");
    await saveEntry(page);
    const path = "content/products/accessories/zed-hub-4-ports.md";
    expect(await textOf(repository, DRAFTS, path)).toBe(
      '---\ntitle: "Zed Hub: 4 ports"\nbrand: Zed\nsummary: A hub.\nimages:\n  - src: ./zed-hub.svg\n    alt: The hub\nprice: "12.00"\nspecifications:\n  "Reads: all": ["1D", "2D"]\n---\n',
    );
    expect(await textOf(repository, DRAFTS, "content/products/accessories/zed-hub.svg")).toContain("<svg");
  });
});

test("a new product in two versions is written, with its pictures", async () => {
  await openCms(async (page, repository, cms) => {
    await page.goto(`${cms}#/collections/accessories/new`);
    await box(page, "Title").fill("Zed Hub");
    await box(page, "Brand").fill("Zed");
    await box(page, "Summary").fill("A hub.");
    await page.getByRole("button", { name: /Add .*Pictures/ }).click();
    await page.locator("input[type=file]").first().setInputFiles(picture("zed-hub.svg"));
    await box(page, "Description of the picture").fill("The hub");
    for (const [index, colour] of ["Black", "White"].entries()) {
      await page.getByRole("button", { name: /Add .*Versions/ }).click();
      // The product's own come first.
      await box(page, "SKU")
        .nth(index + 1)
        .fill(`ZED-${colour}`);
      await box(page, "Price")
        .nth(index + 1)
        .fill(`1${index}.00`);
      await page
        .getByRole("radio", { name: "In stock" })
        .nth(index + 1)
        .click();
      await page
        .getByRole("button", { name: /Add .*Options/ })
        .nth(index)
        .click();
      await box(page, "Name").nth(index).fill("Colour");
      await box(page, "Value").nth(index).fill(colour);
      const field = page.locator(`[data-key-path="variants.${index}.image"]`);
      await field
        .locator("input[type=file]")
        .first()
        .setInputFiles(picture(`zed-hub-${colour}.svg`));
    }
    await page
      .getByRole("button", { name: /Add .*Specifications/ })
      .last()
      .click();
    await box(page, "Name").last().fill("Ports");
    await box(page, "Value").last().fill("4");
    await saveEntry(page);
    const version = (colour: string, index: number) =>
      `  - sku: ZED-${colour}\n    price: "1${index}.00"\n    availability: in_stock\n    options:\n      Colour: ${colour}\n    image: ./zed-hub-${colour}.svg\n`;
    expect(await textOf(repository, DRAFTS, "content/products/accessories/zed-hub.md")).toBe(
      `---\ntitle: Zed Hub\nbrand: Zed\nsummary: A hub.\nimages:\n  - src: ./zed-hub.svg\n    alt: The hub\nvariants:\n${version("Black", 0)}${version("White", 1)}specifications:\n  Ports: "4"\n---\n`,
    );
    for (const name of ["zed-hub", "zed-hub-Black", "zed-hub-White"])
      expect(await textOf(repository, DRAFTS, `content/products/accessories/${name}.svg`)).toContain("<svg");
  });
});

test("a guide with a table is written as it was typed, and stays so when its summary changes", async () => {
  await openCms(async (page, repository, cms) => {
    await page.goto(`${cms}#/collections/guides/new`);
    await box(page, "Title").fill("Which cable fits");
    await box(page, "Summary").fill("Cables and plugs.");
    await page.getByRole("button", { name: "Today" }).click();
    await page.getByRole("button", { name: "Edit in Markdown" }).click();
    await page.locator("textarea, [contenteditable=true]").last().click();
    const text = "## Plugs\n\n| Plug | Fits |\n|---|---|\n| USB A | tills |\n| RJ12 | drawers |\n";
    await page.keyboard.insertText(text);
    await saveEntry(page);
    const guide = () => textOf(repository, DRAFTS, "content/guides/which-cable-fits.md");
    expect(await guide()).toMatch(/^---\ntitle: Which cable fits\nsummary: Cables and plugs\.\nupdated: [\d-]+\n---\n/);
    expect((await guide())?.endsWith(`---\n${text}`)).toBe(true);
    await openEntry(page, cms, "guides/which-cable-fits");
    await box(page, "Summary").fill("Cables.");
    await saveEntry(page);
    expect(await lastChange(repository)).toEqual(["-summary: Cables and plugs.", "+summary: Cables."]);
  });
});

test("a page that is renamed keeps its old address", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "guides/choosing-a-barcode-scanner");
    await page.getByRole("button", { name: "Show Editor Options" }).click();
    await page.getByText("Edit Slug").click();
    await page.getByRole("button", { name: "Edit Slug" }).click();
    const slug = page.locator("input").filter({ visible: true }).last();
    await slug.fill("barcode-scanners");
    await slug.press("Enter");
    await saveEntry(page);
    expect(await textOf(repository, DRAFTS, "content/guides/choosing-a-barcode-scanner.md")).toBe(undefined);
    expect(await textOf(repository, DRAFTS, "content/guides/barcode-scanners.md")).toMatch(
      /^formerly: \[?"?choosing-a-barcode-scanner/m,
    );
  });
});

test("on a phone a product is found, changed and saved", async () => {
  const phone = {
    files: smallShop,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: "en-GB",
  };
  await openInBrowser(phone, async (page, repository, url) => {
    await page.goto(`${url}/admin/cms/`);
    await page.getByText("Barcode scanners").first().tap();
    await page.getByText("Tavrel Pip pocket scanner").first().tap();
    await box(page, "Title").fill("Tavrel Pip");
    await saveEntry(page);
    expect(await lastChange(repository)).toEqual(["-title: Tavrel Pip pocket scanner", "+title: Tavrel Pip"]);
  });
});

test("an editor whose file somebody else has saved is asked first, and both texts stay", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "pages/terms");
    await page.getByRole("textbox", { name: /^Title/ }).fill("Ann's terms");
    const path = "content/pages/terms.md";
    const bobs = ((await textOf(repository, DRAFTS, path)) ?? "").replace(/^title: .*$/m, "title: Bob's terms");
    await save(repository, path, bobs, await idOf(repository, path), BOB);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Entry Changed by Someone Else").waitFor();
    expect(await page.getByRole("textbox", { name: /^Title/ }).inputValue()).toBe("Ann's terms");
    expect(await textOf(repository, DRAFTS, path)).toBe(bobs);
  });
});

test("an editor whose session has ended is told, and keeps the text", async () => {
  await openCms(async (page, _repository, cms, signOut) => {
    await openEntry(page, cms, "pages/terms");
    await page.getByRole("textbox", { name: /^Title/ }).fill("Ann's terms");
    signOut();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("You are no longer signed in.").waitFor();
    expect(await page.getByRole("textbox", { name: /^Title/ }).inputValue()).toBe("Ann's terms");
  });
});
