import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import sharp from "sharp";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { ean13Modules, ean13Path, symbolWidth } from "../../../site/src/shop/ean13.ts";

const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
// By default it would fetch its WebAssembly from the web.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** One GTIN for each first digit, which decides how the next six are drawn. */
const gtins = [
  "0012345678905",
  "1234567890128",
  "2916640001377",
  "3456789012340",
  "4006381333931",
  "5901234123457",
  "6923450657713",
  "7351353000005",
  "8712345678906",
  "9780201379624",
];

test.each(gtins)("a scanner reads %s from its barcode", async (gtin) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${symbolWidth} 50" width="${symbolWidth * 2}" height="100"><path fill="#fff" d="M0 0h${symbolWidth}v50H0z"/><path d="${ean13Path(gtin, 40, 45)}"/></svg>`;
  const found = await readBarcodes(await sharp(Buffer.from(svg)).png().toBuffer(), { formats: ["EAN-13"] });
  expect(found.map(({ text }) => text)).toEqual([gtin]);
});

test("a symbol has 95 modules between quiet zones of 11 and 7", () => {
  expect(ean13Modules("5901234123457")).toBe(
    "10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101",
  );
  expect(symbolWidth).toBe(113);
  expect(ean13Path("5901234123457", 40, 45)).toMatch(/^M11 0h1v45h-1z/);
});
