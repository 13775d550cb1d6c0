import { validContent } from "./content-tree.ts";

const kestrel = validContent["products/barcode-scanners/kestrel-c2.md"] ?? "";
const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A product of its own at a price; `more` is a line of its front matter. */
export const product = (slug: string, price: string, more = "updated: 2026-10-02") =>
  kestrel
    .replaceAll("Kestrel C2 cordless scanner", `Thing ${slug}`)
    .replace("KES-C2", `X-${slug}`)
    .replace("./kestrel-c2.svg", slug === "q1" ? "./photo.png" : "../barcode-scanners/kestrel-c2.svg")
    .replace(/gtin:.*\n|formerly:.*\n/g, "")
    .replace("189.00", price)
    .replace("updated: 2026-10-02", more);

export const scanners = "products/barcode-scanners";
export const printers = "categories/printers.md";
/** Scanners p1 to p8, of which p7 has no day of its own and p8 goes with p1, and printers q1 to q5, of which q1 has a photograph. */
export const twoCategories: Record<string, string | Uint8Array> = {
  [printers]: "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n",
  [`${scanners}/p1.md`]: product("p1", "10.00", "works_with: { p8: the same cable }"),
  ...Object.fromEntries([2, 3, 4, 5, 6].map((n) => [`${scanners}/p${n}.md`, product(`p${n}`, `${n}0.00`)])),
  [`${scanners}/p7.md`]: product("p7", "70.00", "formerly: [was-p7]"),
  [`${scanners}/p8.md`]: product("p8", "900.00"),
  ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`products/printers/q${n}.md`, product(`q${n}`, `${n}0.00`)])),
  "products/printers/photo.png": photo,
};
