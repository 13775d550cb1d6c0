import { newProduct } from "../content-check/content-tree.ts";

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Printer q1, with a photograph. */
export const photographed = (price: string) =>
  newProduct("q1", price).replace("../barcode-scanners/kestrel-c2.svg", "./photo.png");

export const scanners = "products/barcode-scanners";
export const printers = "categories/printers.md";
/** Scanners p1 to p8 (p7 without `updated`, p8 compatible with p1) and printers q1 to q5 (q1 with a photograph). */
export const twoCategories: Record<string, string | Uint8Array> = {
  [printers]: "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n",
  [`${scanners}/p1.md`]: newProduct("p1", "10.00", "works_with: { p8: the same cable }"),
  ...Object.fromEntries([2, 3, 4, 5, 6].map((n) => [`${scanners}/p${n}.md`, newProduct(`p${n}`, `${n}0.00`)])),
  [`${scanners}/p7.md`]: newProduct("p7", "70.00", "formerly: [was-p7]"),
  [`${scanners}/p8.md`]: newProduct("p8", "900.00"),
  ...Object.fromEntries([2, 3, 4, 5].map((n) => [`products/printers/q${n}.md`, newProduct(`q${n}`, `${n}0.00`)])),
  "products/printers/q1.md": photographed("10.00"),
  "products/printers/photo.png": photo,
};
