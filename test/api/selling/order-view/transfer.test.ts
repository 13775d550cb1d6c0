import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import sharp from "sharp";
import { expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { drawQrCode, drawQrPicture } from "../../../../api/selling/order-view/qr-code.ts";
import { epcText } from "../../../../api/selling/order-view/transfer.ts";

const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
// By default the reader downloads its WebAssembly from the web.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

const account = { account_holder: "Łódź & Söhne", iban: "NL91 ABNA 0417 1643 00", bic: null };

/** What a telephone reads. */
async function scan({ size, path }: { size: number; path: string }): Promise<string | undefined> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 4}" height="${size * 4}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return read(png);
}

async function read(png: Buffer): Promise<string | undefined> {
  const [found] = await readBarcodes(png, { formats: ["QRCode"], characterSet: "UTF8" });
  return found?.text;
}

test("a banking app reads account, amount and reference from the code (EPC069-12)", async () => {
  const text = epcText(account, "395.50", "A-1001") ?? "";
  expect(text.split("\n")).toEqual([
    ...["BCD", "002", "1", "SCT", "", "Łódź & Söhne", "NL91ABNA0417164300", "EUR395.50", "", "", "A-1001"],
  ]);
  expect(await scan(drawQrCode(text))).toBe(text);
  expect(await read(await sharp(drawQrPicture(text)).png().toBuffer())).toBe(text);
});

test("a long name is cut to 70 characters, and an amount of ten digits has no code", async () => {
  const [, , , , , name = ""] = epcText({ ...account, account_holder: "😀".repeat(80) }, "1", "A-1")?.split("\n") ?? [];
  expect([...name]).toHaveLength(70);
  expect(epcText(account, "1000000000.00", "A-1")).toBe(null);
  const longest = epcText(
    { ...account, account_holder: "Ü".repeat(70), bic: "ABNANL2AXXX" },
    "999999999.99",
    "A-9007199254740991",
  );
  expect(await scan(drawQrCode(longest ?? ""))).toBe(longest);
});
