import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { DRAFTS } from "../../../site/admin/content/drafts.ts";
import { git } from "../../../site/admin/content/git.ts";
import { byDepth } from "../../depth.ts";
import { eventually } from "../../eventually.ts";
import { shops } from "../../workspace.ts";
import { lastChange, openCms, openEntry, saveEntry, useCms } from "./cms-browser.ts";
import { exampleTexts } from "./content/markdown-examples.ts";
import { BOB, demoShopWith, filesOf, textOf } from "./repository.ts";
import { idOf, save } from "./savers.ts";

/** Pages with the examples of both specifications; in `npm run test:deep`, with all of them. */
const EXAMPLES = exampleTexts()
  .map((text, index) => ({
    name: `example-${index}`,
    text: `---\ntitle: Examples\nsummary: Odd Markdown.\nupdated: 2026-11-20\n---\n${text}`,
  }))
  .filter((_, index) => byDepth({ usual: index % 16 === 3, deep: true }));

/** A product whose fields are written in ways that Sveltia would never write. */
const ODD = `---
summary: "  Spaces around,  and   within  "
# The title stands below the summary.
title: 'Odd: values'
brand: "Ac\\u006De"
also_called: ["1", 'yes',   "null", "- dash" ]
images:
- {alt: "A # B", src: ./odd.svg}
sku: "0012"
gtin: "0012345678905"
price: "1089.00"
availability: in_stock
weight: 007
specifications:
    "Reads: all": [ "1D", '2D' ]
    "1.0": "0x1F"
    Notes: "1e3"
questions:
  - question: |-
      Two
      lines?
    answer: >+
      Folded
      text.

      With an end.

    extra: kept
updated: 2026-11-20
empty:
---
Text.
`;

const SMALL = "---\ntitle: Small\nsummary: A page.\nupdated: 2026-11-20\n---\nText.\n";

useCms({
  "content/products/accessories/odd-values.md": ODD,
  "content/pages/small-one.md": SMALL,
  "content/pages/small-two.md": SMALL,
  "content/pages/small-three.md": SMALL,
  ...byDepth({
    usual: demoShopWith("accessories/ferncote-cleaning-cards", "barcode-scanners/tavrel-pip"),
    deep: filesOf(shops.demo),
  }),
  ...Object.fromEntries(EXAMPLES.map(({ name, text }) => [`content/pages/${name}.md`, text])),
});

/** One of each kind of form; in `npm run test:deep`, 21. */
const ENTRIES = [
  "accessories/odd-values",
  "categories/accessories",
  "guides_mdx/fitting-out-a-counter",
  "mails/order_received",
  "shop/store",
  ...byDepth({
    usual: [],
    deep: [
      "accessories/ferncote-cleaning-cards",
      "guides/choosing-a-barcode-scanner",
      "pages/support",
      "pages_mdx/shipping",
      "barcode-scanners/quillon-dot",
      "barcode-scanners/tavrel-t40-cordless",
      "pos-terminals/marlstead-harbour-15",
      "pos-terminals/ostrey-plover-12",
      "receipt-printers/pellcott-r80",
      "cash-drawers/brackwell-b46",
      "biometric-devices/halden-gate-turn",
      "label-printers/aldersyde-t4",
      "categories/receipt-printers",
      "guides_mdx/opening-a-cash-drawer",
      "pages/home",
      "pages/terms",
    ],
  }),
];

const picture = (name: string) => ({
  name,
  mimeType: "image/svg+xml",
  // Sveltia takes a picture that it has already for the same one.
  buffer: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><title>${name}</title></svg>`),
});

/** Where the CMS is from left to right and where it ends below the header, how large the page is, and which links of the header are covered. */
const MEASURE_CMS = `{
  const { left, right, top, bottom } = document.querySelector("#nc-root > .app-shell").getBoundingClientRect();
  const header = document.querySelector("header");
  const { scrollWidth, scrollHeight } = document.documentElement;
  const isCovered = (link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) !== link;
  };
  const covered = [...header.querySelectorAll("a, button")].filter(isCovered).map((link) => link.textContent);
  if (top !== header.getBoundingClientRect().bottom) covered.push("space");
  ({ cms: [left, right, bottom], page: [scrollWidth, scrollHeight], covered });
}`;

/** Notes in the page what the note says one after the other, and whether it has the focus when it does. */
const WATCH_NOTE = `{
  const note = document.querySelector("#wait");
  window.noteSaid = [];
  window.noteHadFocus = false;
  new MutationObserver(() => {
    noteSaid.push(note.firstElementChild.textContent);
    if (noteSaid.at(-1) !== "") noteHadFocus ||= note.contains(document.activeElement);
  }).observe(note.firstElementChild, { childList: true });
}`;

const box = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

/** Scrolls down to a field of a form: Sveltia makes them as they come into sight. */
async function show(page: Page, path: string): Promise<Locator> {
  const field = page.locator(`[data-key-path="${path}"]`);
  await page.mouse.move(600, 600);
  while ((await field.count()) === 0) await page.mouse.wheel(0, 300);
  return field;
}

test("entries are opened and saved in Sveltia: a changed title is one line, and no request leaves the shop", async () => {
  await openCms(async (page, repository, cms) => {
    for (const entry of ENTRIES) {
      await openEntry(page, cms, entry);
      const title = page.getByRole("textbox", { name: /^(Title|Subject|Name)/ }).first();
      const old = await title.inputValue();
      await title.fill(`${old}!`);
      await saveEntry(page);
      const change = await lastChange(repository);
      const wanted = change[0]?.replace("-", "+").replace(old, `${old}!`);
      expect([entry, change.length, change[1]]).toEqual([entry, 2, wanted]);
    }
  });
}, 1_200_000);

test("the header stays in view above the CMS, in a list and in an entry, on every screen, and nothing is cut off", async () => {
  await openCms(async (page, _repository, cms) => {
    const look = async (path: string) => {
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await eventually(async () => {
          const view = await page.evaluate(MEASURE_CMS);
          expect([path, width, view]).toEqual([path, width, { cms: [0, width, 800], page: [width, 800], covered: [] }]);
        });
      }
    };
    await look("list");
    await openEntry(page, cms, "pages/contact");
    await look("entry");
    // Sveltia would make it open another tab.
    const publish = page.getByRole("link", { name: "Publish" });
    await publish.dispatchEvent("mousedown");
    expect(await publish.getAttribute("target")).toBe(null);
    await page.goto(`${cms}#/collections/pages`);
  });
});

test("a mail that the shop hasn't written begins as it is sent, and becomes its own when it is saved", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "mails/shop_needs_person");
    const subject = box(page, "Subject").first();
    expect(await subject.inputValue()).toBe("Please look at order {{ order_number }}");
    await subject.fill("Look at {{ order_number }}");
    await saveEntry(page);
    const text = await textOf(repository, DRAFTS, "content/mails/shop_needs_person.md");
    expect(text).toMatch(/^---\nsubject: Look at \{\{ order_number \}\}\n---\n+A person should look/);
    expect(text).toContain("\n{{ buyer }}\n");
  });
});

test("words that are typed into a text change their paragraph, and no other", async () => {
  await openCms(async (page, repository, cms) => {
    // Sveltia shows fields, of which the text is the last, as they come into view.
    await page.setViewportSize({ width: 1280, height: 4000 });
    await openEntry(page, cms, "label-printers/aldersyde-d4");
    await page.locator("[contenteditable=true]").last().locator("p").first().click();
    await page.keyboard.press("Home");
    await page.keyboard.type("New words. ");
    await saveEntry(page);
    const [before, after, ...more] = await lastChange(repository);
    expect(more).toEqual([]);
    expect(after?.replace("New words. ", "").slice(1)).toBe(before?.slice(1));
  });
});

/** Notes in the page when Sveltia has read a text, and so has written it in its own way. */
const WATCH_FOR_TEXT = `{
  window.hasReadText = false;
  document.addEventListener("Update", ({ detail }) => (window.hasReadText ||= detail.value !== ""), true);
}`;

test("whatever Markdown a text has, a changed title leaves its bytes, and a changed paragraph the others'", async () => {
  expect(EXAMPLES.length).toBeGreaterThan(1);
  await openCms(async (page, repository, cms) => {
    await page.setViewportSize({ width: 1280, height: 4000 });
    await page.evaluate(WATCH_FOR_TEXT);
    const open = async (name: string) => {
      await page.evaluate("window.hasReadText = false");
      await page.goto(`${cms}#/collections/pages/entries/${name}`);
      await eventually(async () => expect(await page.evaluate("window.hasReadText"), name).toBe(true));
    };
    for (const { name, text } of EXAMPLES) {
      const written = () => textOf(repository, DRAFTS, `content/pages/${name}.md`);
      await open(name);
      // A picture in the text may have a title, too.
      await box(page, "Title").first().fill("Changed");
      await saveEntry(page);
      const titled = text.replace("title: Examples", "title: Changed");
      expect(await written(), name).toBe(titled);
      await open(name);
      // A text that Sveltia can't read is edited as Markdown.
      const [rich, raw] = [page.locator("[contenteditable=true]").last(), page.locator(".text-editor textarea").last()];
      if (await rich.isVisible()) await rich.getByText("First words.").click();
      else await raw.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("New, ");
      await saveEntry(page);
      expect(await written(), name).toBe(titled.replace("First words.", "New, First words."));
    }
  });
}, 3_600_000);

test("what the check says of a saved entry is shown in a note that names it, in the form's words, and takes no focus", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "pages_mdx/returns");
    await page.evaluate(WATCH_NOTE);
    await page.getByRole("textbox", { name: "Former addresses" }).fill("contact");
    expect(await saveEntry(page)).toMatch(/^Saved\. The check says: pages\/returns\.mdxLine \d+: .*contact/);
    expect(await page.evaluate("noteSaid")).toEqual([
      "Saving … ",
      "",
      "Saving … ",
      "",
      "Saved. Checking … pages/returns.mdx",
      expect.stringMatching(/^Saved\. The check says: pages\/returns\.mdxLine \d+: /),
      "",
    ]);
    expect(await page.evaluate("noteHadFocus")).toBe(false);
    expect(await textOf(repository, DRAFTS, "content/pages/returns.mdx")).toContain("formerly: [contact]");
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
    await page.locator("input[type=file]").first().setInputFiles(picture("ports.svg"));
    await page.getByRole("textbox", { name: "Description of the picture" }).fill("The hub");
    const specifications = await show(page, "specifications");
    await specifications.getByRole("button", { name: /Add .*Specifications/ }).click();
    await page.getByRole("textbox", { name: "Name" }).first().fill("Reads: all");
    await page.getByRole("textbox", { name: "Value" }).first().fill("1D\n2D");
    await saveEntry(page);
    const path = "content/products/accessories/zed-hub-4-ports.md";
    expect(await textOf(repository, DRAFTS, path)).toBe(
      '---\ntitle: "Zed Hub: 4 ports"\nbrand: Zed\nsummary: A hub.\nimages:\n  - src: ./ports.svg\n    alt: The hub\nprice: "12.00"\nspecifications:\n  "Reads: all": ["1D", "2D"]\n---\n',
    );
    expect(await textOf(repository, DRAFTS, "content/products/accessories/ports.svg")).toContain("<svg");
  });
});

/** A red photograph of 96 × 64 pixels, as iPhones store them. */
const HEIC =
  "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAGwAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoDCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAAAAAAAGAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAAjbWRhdAAAABcoAa8ZgPd8hTf/+pJn/flr/mYFeK0Kzw==";

test("photographs from phones become upright pictures of the size that the shop uses, and a price is stored as the shop writes it", async () => {
  const [width, height] = [12_000, 9_000];
  const half = { create: { width: width / 2, height, channels: 3, background: "#c00" } } as const;
  const left = await sharp(half).png({ compressionLevel: 1 }).toBuffer();
  // Held upright: what is on the left for the sensor is at the top.
  const photograph = await sharp({ create: { ...half.create, width, background: "#00c" } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({ IFD0: { Artist: "Ann" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  await openCms(async (page, repository, cms) => {
    await page.goto(`${cms}#/collections/accessories/new`);
    await box(page, "Title").fill("Zed Stand");
    await box(page, "Brand").fill("Zed");
    await box(page, "Summary").fill("A stand.");
    await box(page, "Price").fill("1.089");
    for (const [index, [name, mimeType, buffer]] of (
      [
        ["IMG_1234.JPG", "image/jpeg", photograph],
        ["Stand Größe 2.HEIC", "image/heic", Buffer.from(HEIC, "base64")],
      ] as const
    ).entries()) {
      await page.getByRole("button", { name: /Add .*Pictures/ }).click();
      const field = page.locator(`[data-key-path="images.${index}.src"]`);
      await field.locator("input[type=file]").first().setInputFiles({ name, mimeType, buffer });
      await field.locator("img").waitFor();
      await page.locator(`[data-key-path="images.${index}.alt"]`).getByRole("textbox").fill("The stand");
    }
    const specifications = await show(page, "specifications");
    await specifications.getByRole("button", { name: /Add .*Specifications/ }).click();
    await box(page, "Name").first().fill("Ports");
    await box(page, "Value").first().fill("4");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const refusal = page.getByRole("alertdialog");
    await refusal.getByText("Price: “1.089” may be €1,089.00 or €1.09. Write 1089.00 or 1.09.").waitFor();
    expect(await refusal.textContent()).not.toContain("later");
    await refusal.getByRole("button", { name: "OK" }).click();
    await box(page, "Price").fill("€ 89,90");
    await saveEntry(page);
    const folder = "content/products/accessories";
    const text = await textOf(repository, DRAFTS, `${folder}/zed-stand.md`);
    expect(text).toContain('price: "89.90"');
    expect(text?.match(/src: .*/g)).toEqual(["src: ./img_1234.webp", "src: ./stand-groesse-2.webp"]);
    const picture = await git(repository, ["cat-file", "blob", `${DRAFTS}:${folder}/img_1234.webp`]);
    const { format, exif, ...size } = await sharp(picture).metadata();
    expect([format, exif, size.width, size.height]).toEqual(["webp", undefined, 1800, 2400]);
    const [top, bottom] = await Promise.all([100, 2300].map((row) => colourAt(picture, 900, row)));
    expect([top, bottom]).toEqual(["red", "blue"]);
    const heic = await git(repository, ["cat-file", "blob", `${DRAFTS}:${folder}/stand-groesse-2.webp`]);
    expect(await colourAt(heic, 48, 32)).toBe("red");
  });
});

/** The strongest colour of a picture's pixel. */
async function colourAt(picture: Buffer, left: number, top: number): Promise<string | undefined> {
  const pixel = await sharp(picture).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return ["red", "green", "blue"][pixel.indexOf(Math.max(...pixel))];
}

test("a new product in two versions is written, with its pictures", async () => {
  await openCms(async (page, repository, cms) => {
    await page.goto(`${cms}#/collections/accessories/new`);
    await box(page, "Title").fill("Zed Hub");
    await box(page, "Brand").fill("Zed");
    await box(page, "Summary").fill("A hub.");
    await page.getByRole("button", { name: /Add .*Pictures/ }).click();
    await page.locator("input[type=file]").first().setInputFiles(picture("zed-hub.svg"));
    await box(page, "Description of the picture").fill("The hub");
    await show(page, "variants");
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
      const options = await show(page, `variants.${index}.options`);
      await options.getByRole("button", { name: /Add .*Options/ }).click();
      await box(page, "Name").nth(index).fill("Colour");
      await box(page, "Value").nth(index).fill(colour);
      const field = page.locator(`[data-key-path="variants.${index}.image"]`);
      await field
        .locator("input[type=file]")
        .first()
        .setInputFiles(picture(`zed-hub-${colour}.svg`));
    }
    const specifications = await show(page, "specifications");
    await specifications.getByRole("button", { name: /Add .*Specifications/ }).click();
    await box(page, "Name").last().fill("Ports");
    await box(page, "Value").last().fill("4");
    await saveEntry(page);
    const version = (colour: string, index: number) =>
      `  - sku: ZED-${colour}\n    price: "1${index}.00"\n    availability: in_stock\n    options:\n      Colour: ${colour}\n    image: ./zed-hub-${colour.toLowerCase()}.svg\n`;
    expect(await textOf(repository, DRAFTS, "content/products/accessories/zed-hub.md")).toBe(
      `---\ntitle: Zed Hub\nbrand: Zed\nsummary: A hub.\nimages:\n  - src: ./zed-hub.svg\n    alt: The hub\nvariants:\n${version("Black", 0)}${version("White", 1)}specifications:\n  Ports: "4"\n---\n`,
    );
    for (const name of ["zed-hub", "zed-hub-black", "zed-hub-white"])
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
    await page.getByText("Which cable fits").first().click();
    await box(page, "Summary").fill("Cables.");
    await saveEntry(page);
    expect(await lastChange(repository)).toEqual(["-summary: Cables and plugs.", "+summary: Cables."]);
  });
});

/** As Word 365 puts it on the clipboard, without what isn't the table's. */
const FROM_WORD =
  "<html xmlns:o='urn:schemas-microsoft-com:office:office'><body><!--StartFragment--><table class=MsoTableGrid border=1><tr><td width=301><p class=MsoNormal><b>Plug</b><o:p></o:p></p></td><td width=301><p class=MsoNormal>Fits<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>USB A</p></td><td><p class=MsoNormal>tills</p></td></tr></table><!--EndFragment--></body></html>";

test("a table that is pasted from Word is a table in the file, with its first row as the head", async () => {
  await openCms(async (page, repository, cms) => {
    await page.setViewportSize({ width: 1280, height: 4000 });
    await openEntry(page, cms, "pages/contact");
    await page.locator("[contenteditable=true]").last().locator("p").last().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", ${JSON.stringify(FROM_WORD)});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole("columnheader", { name: "Plug" }).waitFor();
    await saveEntry(page);
    const added = (await lastChange(repository)).map((line) => line.replaceAll(/\*\*| /g, ""));
    expect(added.join("\n")).toMatch(/\+\|Plug\|Fits\|\n\+\|-+\|-+\|\n\+\|USBA\|tills\|/);
  });
});

test("a page that is renamed keeps its old address", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "pages/privacy");
    await page.getByRole("button", { name: "Show Editor Options" }).click();
    await page.getByText("Edit Slug").click();
    await page.getByRole("button", { name: "Edit Slug" }).click();
    const slug = page.locator("input").filter({ visible: true }).last();
    await slug.fill("data-protection");
    await slug.press("Enter");
    // One question about both: what names the old address isn't told by another that finds nothing.
    const asked = page.waitForRequest((sent) => sent.url().includes("/api/admin/problems?"));
    await saveEntry(page);
    const { searchParams } = new URL((await asked).url());
    expect([...searchParams.values()]).toEqual(["content/pages/privacy.md", "content/pages/data-protection.md"]);
    expect(await textOf(repository, DRAFTS, "content/pages/privacy.md")).toBe(undefined);
    expect(await textOf(repository, DRAFTS, "content/pages/data-protection.md")).toMatch(/^formerly: \[?"?privacy/m);
  });
});

test("on a phone a product is found, changed and saved", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "en-GB" };
  await openCms(async (page, repository) => {
    await page.getByText("Barcode scanners").first().tap();
    await page.getByText("Tavrel Pip pocket scanner").first().tap();
    await box(page, "Title").fill("Tavrel Pip");
    await saveEntry(page);
    expect(await lastChange(repository)).toEqual(["-title: Tavrel Pip pocket scanner", "+title: Tavrel Pip"]);
  }, phone);
});

/** Saves a file as Bob does, while somebody else has it open. */
async function saveAsBob(repository: string, path: string, change: (text: string) => string): Promise<string> {
  const text = change((await textOf(repository, DRAFTS, path)) ?? "");
  await save(repository, path, text, await idOf(repository, path), BOB);
  return text;
}

test("an editor saves over what somebody else has saved meanwhile, and both changes stay", async () => {
  await openCms(async (page, repository, cms) => {
    await openEntry(page, cms, "pages/small-one");
    await box(page, "Title").fill("Ann's words");
    const path = "content/pages/small-one.md";
    const bobs = await saveAsBob(repository, path, (text) => text.replace(/^summary: .*$/m, "summary: Bob's words"));
    await saveEntry(page);
    expect(await textOf(repository, DRAFTS, path)).toBe(bobs.replace(/^title: .*$/m, "title: Ann's words"));
    // What was saved is what the next change comes from.
    await page.goto(`${cms}#/collections/pages/entries/small-one`);
    await box(page, "Title").fill("Ann's other words");
    await saveEntry(page);
    expect(await lastChange(repository)).toEqual(["-title: Ann's words", "+title: Ann's other words"]);
  });
});

test("an editor is asked about what both have changed, sees both, and decides", async () => {
  await openCms(async (page, repository, cms) => {
    const path = "content/pages/small-two.md";
    await openEntry(page, cms, "pages/small-two");
    await box(page, "Title").fill("Ann's words");
    await box(page, "Summary").fill("Ann's summary.");
    const bobs = await saveAsBob(repository, path, (text) => text.replace(/^title: .*$/m, "title: Bob's words"));
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("Save").click();
    const dialog = page.getByRole("dialog", { name: "Changed by Bob, too" });
    await dialog.waitFor();
    await page.getByText("If you save now, their changes stay").waitFor();
    // One key too many decides nothing.
    await page.keyboard.press("Enter");
    expect(await dialog.locator("h3, dd").allTextContents()).toEqual(["Title", "Bob's words", "Ann's words"]);
    await dialog.getByRole("button", { name: "Back to the text" }).click();
    await page.getByText("Bob and you have both changed this").waitFor();
    await page.getByRole("button", { name: "OK" }).click();
    expect(await textOf(repository, DRAFTS, path)).toBe(bobs);
    expect(await box(page, "Title").inputValue()).toBe("Ann's words");
    await button("Save").click();
    await dialog.getByRole("button", { name: "Keep what Bob has saved" }).click();
    await page.waitForURL(`${cms}#/collections/pages`);
    expect(await textOf(repository, DRAFTS, path)).toBe(bobs.replace(/^summary: .*$/m, "summary: Ann's summary."));
  });
});

test("an editor who deletes what somebody else has saved meanwhile is told, and nothing is deleted", async () => {
  await openCms(async (page, repository, cms) => {
    const path = "content/pages/about.md";
    await openEntry(page, cms, "pages/about");
    await saveAsBob(repository, path, (text) => text.replace(/^title: .*$/m, "title: Bob's words"));
    await page.getByRole("button", { name: "Show Editor Options" }).click();
    await page.getByRole("menuitem", { name: /^Delete/ }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const note = page.locator("#wait").filter({ hasText: "Bob has changed content/pages/about.md" });
    await note.getByRole("button", { name: "Close" }).click();
    expect(await textOf(repository, DRAFTS, path)).toContain("Bob's words");
    await page.goto(`${cms}#/collections/pages`);
  });
});

test("an editor whose session has ended keeps the text, and has it saved after signing in again", async () => {
  await openCms(async (page, repository, cms, signOut) => {
    await openEntry(page, cms, "pages/small-three");
    await page.getByRole("textbox", { name: /^Title/ }).fill("Ann's words");
    const save = page.getByRole("button", { name: "Save", exact: true });
    const refusal = page.getByRole("alertdialog");
    await page.route("**/api/admin/forms", (route) => route.abort());
    await save.click();
    await refusal.getByText("The shop can't be reached right now. Nothing is lost").waitFor();
    await refusal.getByRole("button", { name: "OK" }).click();
    await page.unroute("**/api/admin/forms");
    const signInAgain = signOut();
    await save.click();
    const again = page.getByRole("dialog", { name: "You are no longer signed in" });
    await again.getByRole("button", { name: "Not now" }).click();
    await refusal.getByText("You are no longer signed in.").waitFor();
    await refusal.getByRole("button", { name: "OK" }).click();
    expect(await page.getByRole("textbox", { name: /^Title/ }).inputValue()).toBe("Ann's words");

    await save.click();
    await again.waitFor();
    signInAgain();
    // As sign-in.js does once the server has taken the passkey.
    await again.evaluate((dialog) => dialog.dispatchEvent(new Event("signed-in")));
    await page.waitForURL(`${cms}#/collections/pages`);
    expect(await textOf(repository, DRAFTS, "content/pages/small-three.md")).toContain("title: Ann's words");
  });
});

test("Sveltia's own Sign Out ends the session", async () => {
  await openCms(async (page) => {
    await page.getByRole("button", { name: "Account" }).click();
    const [ended] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/admin/sign-out")),
      page.getByRole("menuitem", { name: "Sign Out" }).click(),
    ]);
    expect(ended.isNavigationRequest()).toBe(true);
  });
});
