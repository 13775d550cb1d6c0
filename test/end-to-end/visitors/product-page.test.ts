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
      const codes = await page.locator(".barcode").all();
      const pictures = await Promise.all(codes.map((code) => code.screenshot()));
      const read = await Promise.all(pictures.map((picture) => readBarcodes(picture, { formats: ["EAN-13"] })));
      expect(read.map((found) => found[0]?.text)).toEqual(gtins);
    });
});

test("a phone's first screen has name, price with and without tax, stock and the order link", async () => {
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
        /€\S+\s+incl\. 21% VAT\s+(from )?€\S+ excl\. VAT/,
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

test("the order email names the SKU and the quantity", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/products/marlstead-cafe-10`);
    const letter = new URL((await page.locator(".order a").getAttribute("href")) ?? "");
    expect(letter.protocol).toBe("mailto:");
    expect(letter.searchParams.get("subject")).toBe("Order MAR-CAF10-WH");
    expect(letter.searchParams.get("body")).toContain("Quantity: 1\r\n");
  });
});
