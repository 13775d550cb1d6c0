import { expect, test } from "vitest";
import { DRAFTS } from "../../../site/admin/drafts.ts";
import { expectOneLineEach, lastChange, openCms, openEntry, saveEntry } from "./cms-browser.ts";
import { BOB, textOf } from "./repository.ts";
import { idOf, save } from "./savers.ts";

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
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "zed-hub.svg",
        mimeType: "image/svg+xml",
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"/>'),
      });
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
