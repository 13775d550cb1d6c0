import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, inject, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { withPage } from "./with-page.ts";

const url = inject("shopUrl");
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
// By default the reader downloads its WebAssembly from the web.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

test.each([
  ["/products/marlstead-cafe-10", ["2004101006853"]],
  ["/products/marlstead-harbour-15", ["2004101001377", "2004101002749", "2004101004118", "2004101005481"]],
])("a scanner reads each GTIN of %s from a dark screen, wide and narrow", async (path, gtins) => {
  for (const width of [320, 1440])
    await withPage({ viewport: { width, height: 800 }, colorScheme: "dark", deviceScaleFactor: 2 }, async (page) => {
      await page.goto(url + path);
      for (const summary of await page.locator("summary:has(~ .barcode)").all()) await summary.click();
      const codes = await page.locator(".barcode").all();
      const pictures = await Promise.all(codes.map((code) => code.screenshot()));
      const read = await Promise.all(pictures.map((picture) => readBarcodes(picture, { formats: ["EAN-13"] })));
      expect(read.map((found) => found[0]?.text)).toEqual(gtins);
    });
});

test("a phone's first screen has name, net price, price with tax, stock and the button", async () => {
  const phones = [
    { width: 320, height: 568 },
    { width: 360, height: 640 },
    { width: 375, height: 667 },
  ];
  const paths = ["/products/marlstead-cafe-10", "/products/marlstead-harbour-15", "/products/tavrel-t40-cordless"];
  for (const { path, viewport } of paths.flatMap((path) => phones.map((viewport) => ({ path, viewport }))))
    await withPage({ viewport }, async (page) => {
      await page.goto(url + path);
      expect(await page.locator(".offer-price").textContent()).toMatch(
        /^\s*(from )?€\S+\s+net\s+€\S+ with 21% VAT\s*$/,
      );
      for (const part of ["h1", ".offer-price", ".stock", ".button"]) {
        const box = await page.locator(`main ${part}`).first().boundingBox();
        const bottom = (box?.y ?? 1000) + (box?.height ?? 0);
        expect([path, viewport.width, part, bottom <= viewport.height]).toEqual([path, viewport.width, part, true]);
      }
    });
});

test("a product's picture fills its background, on desktop, phone and paper", async () => {
  for (const [width, media] of [
    [1440, "screen"],
    [360, "screen"],
    [718, "print"],
  ] as const)
    await withPage({ viewport: { width, height: 800 } }, async (page) => {
      await page.emulateMedia({ media });
      await page.goto(`${url}/products/marlstead-cafe-10`);
      for (const part of [".gallery .tile", ".gallery .tile img"]) {
        const box = await page.locator(part).first().boundingBox();
        expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
      }
    });
});

test("a printed product fits one A4 page, with readable barcodes and its address", async () => {
  await withPage({ colorScheme: "dark" }, async (page) => {
    await page.goto(`${url}/products/marlstead-cafe-10`);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect([...pdf.matchAll(/\/Type \/Page\b/g)]).toHaveLength(1);
    await page.emulateMedia({ media: "print" });
    const imprint = page.locator(".imprint");
    expect(await imprint.isVisible()).toBe(true);
    expect(await imprint.textContent()).toMatch(/As of .+ 20\d\d\.\s+https:.*\/products\/marlstead-cafe-10/);
    const width = (await page.locator(".barcode").boundingBox())?.width ?? 0;
    expect((width / 96) * 25.4).toBeGreaterThan(30);
    const ground = "getComputedStyle(document.documentElement).backgroundColor";
    expect(await page.evaluate(ground)).toBe("rgb(255, 255, 255)");
  });
});

/** The fields that a form sends with POST /cart/lines, without sending them. */
const SENT = `new Promise((sent) => document.forms["add-to-basket"].addEventListener("submit", (event) => {
  event.preventDefault();
  sent([event.target.action, event.target.method, ...new FormData(event.target)].map(String));
}))`;

test("a single product is put into the basket with its SKU and the quantity", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/products/marlstead-cafe-10`);
    await page.getByLabel("Quantity").fill("3");
    const sent = page.evaluate(SENT);
    await page.getByRole("button", { name: "Add to basket", exact: true }).click();
    expect(await sent).toEqual([`${url}/cart/lines`, "post", "sku,MAR-CAF10-WH", "quantity,3"]);
  });
});

test("a version is chosen by a click anywhere on it, by keyboard, and never by default", async () => {
  await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    const button = page.getByRole("button", { name: "Add to basket", exact: true });
    const invalid = `document.forms["add-to-basket"].checkValidity()`;
    expect(await page.evaluate(invalid)).toBe(false);
    // Its block is covered by the radio button's label.
    await page.locator(".versions code", { hasText: "MAR-HAR15-8-WH" }).click({ force: true });
    const sent = page.evaluate(SENT);
    await button.click();
    expect(await sent).toEqual([`${url}/cart/lines`, "post", "sku,MAR-HAR15-8-WH", "quantity,1"]);
    await page.getByRole("radio", { name: /^8 GB \/ White, €742.98/ }).press("ArrowDown");
    expect(await page.getByRole("radio", { checked: true }).getAttribute("value")).toBe("MAR-HAR15-16-BK");
  });
});

test("a version that is out of stock can't be chosen, and its link asks about it by email", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    expect(await page.getByRole("radio").count()).toBe(3);
    const letter = new URL((await page.getByRole("link", { name: "Ask about" }).getAttribute("href")) ?? "");
    expect([letter.protocol, letter.searchParams.get("subject")]).toEqual(["mailto:", "Ask about MAR-HAR15-16-WH"]);
  });
});

test("each version that can be ordered has a link to order it", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    const links = page.getByRole("link", { name: "Link to order" });
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "/buy/MAR-HAR15-8-BK:1",
      "/buy/MAR-HAR15-8-WH:1",
      "/buy/MAR-HAR15-16-BK:1",
    ]);
  });
});

test("the button never covers what has the focus in a list of versions", async () => {
  await withPage({ viewport: { width: 320, height: 568 } }, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    for (const control of await page.locator(".versions :is(input, a, summary)").all()) {
      await control.focus();
      const bottom = await control.evaluate((element) => element.getBoundingClientRect().bottom);
      const bar = await page.locator(".buy .order").boundingBox();
      expect(bottom).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
    }
  });
});

test("a picture opens in the page by click and by keyboard, and Escape returns to it", async () => {
  for (const width of [320, 1440])
    await withPage({ viewport: { width, height: 700 }, javaScriptEnabled: false }, async (page) => {
      const address = `${url}/products/tavrel-t40-cordless`;
      await page.goto(address);
      const opened = page.locator(".enlarged").filter({ visible: true });
      await page.locator(".gallery img").nth(1).click({ force: true });
      expect(await opened.count()).toBe(1);
      const [small, large] = await Promise.all(
        [page.locator(".gallery .tile img").nth(1), opened.locator("img")].map((img) => img.boundingBox()),
      );
      expect(large?.width).toBeGreaterThan(2 * (small?.width ?? 0));
      expect((large?.y ?? 0) + (large?.height ?? 0)).toBeLessThanOrEqual(700);
      await opened.getByRole("button", { name: "Close" }).click();
      expect(await opened.count()).toBe(0);
      const button = page.getByRole("button", { name: "Enlarge picture 1" });
      await button.press("Enter");
      expect(await opened.count()).toBe(1);
      await page.keyboard.press("Escape");
      expect(await opened.count()).toBe(0);
      expect(page.url()).toBe(address);
    });
});

test("the picture of the chosen version is the large one, without a script", async () => {
  for (const width of [320, 1440])
    await withPage({ viewport: { width, height: 900 }, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${url}/products/marlstead-harbour-15`);
      const shown = async () => {
        const boxes = await Promise.all((await page.locator(".gallery .tile").all()).map((tile) => tile.boundingBox()));
        const [black, white] = boxes.map((box) => box ?? { width: 0, y: 0 });
        if (black === undefined || white === undefined) throw new Error("the page has fewer than two pictures");
        return black.width > white.width && black.y < white.y
          ? "black"
          : white.width > black.width && white.y < black.y
            ? "white"
            : "both";
      };
      expect(await shown()).toBe("black");
      for (const [version, colour] of [
        ["8 GB / White", "white"],
        ["16 GB / Black", "black"],
        ["8 GB / Black", "black"],
      ] as const) {
        await page.getByRole("radio", { name: new RegExp(`^${version}`) }).check({ force: true });
        expect([version, await shown()]).toEqual([version, colour]);
      }
    });
});

test.each([
  ["/documents/tavrel-t40-cordless/tavrel-t40-quick-start.pdf", "application/pdf", "%PDF-"],
  [
    "/documents/ferncote-drawer-cable-escpos/ferncote-drawer-cable-contacts.txt",
    "text/plain; charset=utf-8",
    "FERNCOTE",
  ],
])("%s is a file of type %s", async (path, type, start) => {
  const answer = await fetch(url + path);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
  expect((await answer.text()).startsWith(start)).toBe(true);
});
