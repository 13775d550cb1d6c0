import { newProduct } from "../content-check/content-tree.ts";

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Printer q1, with a photograph. */
export const photographed = (price: string) =>
  newProduct("q1", price).replace("../barcode-scanners/kestrel-c2.svg", "./photo.png");

export const drawing = (height: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 ${height}"><rect width="40" height="9"/></svg>\n`;
/** A guide without components. */
export const plain = "---\ntitle: Plain\nsummary: Plain words.\nupdated: 2026-10-01\n---\n\nWords.\n";

export const thingworks = "makers/thingworks.md";
export const maker = (email: string) =>
  `---\nname: Thingworks\naddress: 1 Thing Street, Leeds\ncountry: GB\nemail: ${email}\n---\n`;

export const scanners = "products/barcode-scanners";
export const printers = "categories/printers.md";
export const hardware = "categories/hardware.md";
/** Scanners p1 to p8 (p7 without `updated`, of a maker, p8 compatible with p1), printers q1 to q5 (q1 with a photograph, q3 with a picture in its text) below hardware, and a plain guide. */
export const twoCategories: Record<string, string | Uint8Array> = {
  [printers]: "---\ntitle: Printers\nsummary: They print.\norder: 20\nparent: hardware\n---\n\nSome print.\n",
  [hardware]: "---\ntitle: Hardware\nsummary: It stands.\norder: 30\n---\n\nSome stand.\n",
  [`${scanners}/p1.md`]: newProduct("p1", "10.00", "works_with: { p8: the same cable }"),
  ...Object.fromEntries([2, 3, 4, 5, 6].map((n) => [`${scanners}/p${n}.md`, newProduct(`p${n}`, `${n}0.00`)])),
  [`${scanners}/p7.md`]: newProduct("p7", "70.00", "formerly: [was-p7]\nmaker: thingworks"),
  [`${scanners}/p8.md`]: newProduct("p8", "900.00"),
  ...Object.fromEntries([2, 4, 5].map((n) => [`products/printers/q${n}.md`, newProduct(`q${n}`, `${n}0.00`)])),
  "products/printers/q1.md": photographed("10.00"),
  "products/printers/photo.png": photo,
  "products/printers/q3.md": newProduct("q3", "30.00").replace("It scans.", "It scans.\n\n![Its side](./side.svg)\n\n"),
  "products/printers/side.svg": drawing("10"),
  [thingworks]: maker("safety@thing.example"),
  "guides/plain.mdx": plain,
};
