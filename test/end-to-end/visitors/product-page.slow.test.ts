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
  ["/products/marlstead-harbour-15", ["2004101001377"]],
])("a scanner reads the GTIN of %s from a dark screen, wide and narrow", async (path, gtins) => {
  for (const width of [320, 1440])
    await withPage({ viewport: { width, height: 800 }, colorScheme: "dark", deviceScaleFactor: 2 }, async (page) => {
      await page.goto(url + path);
      await page.getByText("For your records").filter({ visible: true }).click();
      const codes = await page.locator(".barcode").filter({ visible: true }).all();
      const pictures = await Promise.all(codes.map((code) => code.screenshot()));
      const read = await Promise.all(pictures.map((picture) => readBarcodes(picture, { formats: ["EAN-13"] })));
      expect(read.map((found) => found[0]?.text)).toEqual(gtins);
    });
});

test("a phone's first screen has name, net price, price with tax, stock and, while one chooses, the button", async () => {
  const phones = [
    { width: 360, height: 740 },
    { width: 390, height: 844 },
  ];
  const paths = ["/products/marlstead-cafe-10", "/products/marlstead-harbour-15", "/products/tavrel-t40-cordless"];
  for (const { path, viewport } of paths.flatMap((path) => phones.map((viewport) => ({ path, viewport }))))
    await withPage({ viewport }, async (page) => {
      await page.goto(url + path);
      const line = page.locator(".versions:not([role]), .versions li").filter({ visible: true });
      expect(await line.textContent()).toMatch(/€\S+\s+net \(€\S+ with 21% VAT\)\s+·\s+In stock\s+·/);
      for (const part of ["h1", ".price", ".tax", ".availability", ".send .button"]) {
        const shown = page.locator(`:is(.product-head, .order) ${part}`).filter({ visible: true });
        const box = await shown.first().boundingBox();
        const bottom = (box?.y ?? 1000) + (box?.height ?? 0);
        expect([path, viewport.width, part, bottom <= viewport.height]).toEqual([path, viewport.width, part, true]);
      }
    });
});

test("a product's picture fills its background, on desktop, phone and paper", async () => {
  // On a phone it is lower, so that the options have room in the first screen.
  for (const [width, media, ratio] of [
    [1440, "screen", 4 / 3],
    [360, "screen", 2],
    [718, "print", 4 / 3],
  ] as const)
    await withPage({ viewport: { width, height: 800 } }, async (page) => {
      await page.emulateMedia({ media });
      await page.goto(`${url}/products/marlstead-cafe-10`);
      for (const part of [".gallery .tile", ".gallery .tile img"]) {
        const box = await page.locator(part).first().boundingBox();
        expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(ratio, 1);
      }
    });
});

test("a printed product fits one A4 page, with readable barcodes and its address", async () => {
  await withPage({ colorScheme: "dark" }, async (page) => {
    for (const product of ["marlstead-harbour-15", "marlstead-cafe-10"]) {
      await page.goto(`${url}/products/${product}`);
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      expect([product, [...pdf.matchAll(/\/Type \/Page\b/g)].length]).toEqual([product, 1]);
    }
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

test("a version is chosen by pills, by click and by keyboard, and Enter sends it", async () => {
  await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    await page.getByRole("radio", { name: "White" }).click();
    await page.getByRole("radio", { name: "8 GB", exact: true }).press("ArrowRight");
    expect(await page.getByRole("radio", { checked: true }).evaluateAll((all) => all.map((pill) => pill.id))).toEqual([
      "o1-2",
      "o2-2",
    ]);
    const line = page.getByRole("status");
    expect(await line.getByText("MAR-HAR15-16-WH", { exact: true }).isVisible()).toBe(true);
    const sent = page.evaluate(SENT);
    await page.getByLabel("Quantity").fill("2");
    await page.getByLabel("Quantity").press("Enter");
    const values = ["product,marlstead-harbour-15", "o1,16 GB", "o2,White", "quantity,2"];
    expect(await sent).toEqual([`${url}/cart/lines`, "post", ...values]);
  });
});

test("the line of a version that is out of stock has a link to ask about it by email, others one to order it", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    const hrefs = () =>
      page
        .getByRole("status")
        .getByRole("link")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    const open = () => page.getByText("For your records").filter({ visible: true }).click();
    await open();
    expect(await hrefs()).toEqual(["/buy/MAR-HAR15-8-BK:1", "/counter?chosen=MAR-HAR15-8-BK"]);
    await page.getByRole("radio", { name: "16 GB" }).check();
    await page.getByRole("radio", { name: "White" }).check();
    const [letter = ""] = await hrefs();
    expect(new URL(letter ?? "").searchParams.get("subject")).toBe("Ask about MAR-HAR15-16-WH");
  });
});

test("the chosen pill is marked in forced colours too, and its specifications alone are shown", async () => {
  await withPage({ forcedColors: "active", javaScriptEnabled: false }, async (page) => {
    await page.goto(`${url}/products/tavrel-pip`);
    const edge = (pill: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("label[for=${pill}]")).borderBlockStartWidth`);
    const reads = () =>
      page.locator(".specifications dt:text-is('Reads') + dd").filter({ visible: true }).textContent();
    expect(await Promise.all([edge("o1-1"), edge("o1-2")])).toEqual(["3px", "1px"]);
    expect(await reads()).toMatch(/ 1D\s*$/);
    await page.getByRole("radio", { name: "1D and 2D" }).check();
    expect(await Promise.all([edge("o1-1"), edge("o1-2")])).toEqual(["1px", "3px"]);
    expect(await reads()).toMatch(/ 1D, 2D\s*$/);
  });
});

test("a picture opens in the page by click and by keyboard, and Escape returns to it", async () => {
  for (const width of [320, 1440])
    await withPage({ viewport: { width, height: 700 }, javaScriptEnabled: false }, async (page) => {
      const address = `${url}/products/tavrel-t40-cordless`;
      await page.goto(address);
      const opened = page.locator(".enlarged").filter({ visible: true });
      await page.locator(".gallery .large img").first().click({ force: true });
      expect(await opened.count()).toBe(1);
      const large = await opened.locator("img").boundingBox();
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
