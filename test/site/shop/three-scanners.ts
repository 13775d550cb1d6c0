import { kestrel, osprey } from "../content-check/content-problems.ts";
import { validContent } from "../content-check/content-tree.ts";

const text = validContent[kestrel] ?? "";

const merlin = text
  .replaceAll("Kestrel C2", "Merlin M1")
  .replace("KES-C2", "MER-M1")
  .replace(/gtin:.*\n/, "")
  .replace("Reads: 1D and 2D codes", "Pipe: Clay")
  .replace("formerly: [kestrel-c1]\n", "");

/**
 * For tests that only read a build: the small shop with a third scanner, which lacks its category's filter, with synonyms and
 * other names, a text of everything that Markdown has, and a version with its own picture.
 */
export const threeScanners: Record<string, string> = {
  [kestrel]: text
    .replace("brand:", "also_called: [gun]\nbrand:")
    .replace(
      "It scans.",
      "It **scans** `EAN-13`, see [us](/about).\n\n- [x](/about) first\n\n| A | B |\n|---|---|\n| snake_case | 2 \\* 3 |\n\n```\ncode\n```\n\nAt https://shop.example/about.",
    ),
  "products/barcode-scanners/merlin.md": merlin,
  [osprey]: (validContent[osprey] ?? "")
    .replace("variants:", "  - src: ./osprey-white.svg\n    alt: The same in white\nvariants:")
    .replace("options: { Colour: White }", "options: { Colour: White }\n    image: ./osprey-white.svg"),
  "products/barcode-scanners/osprey-white.svg": (
    validContent["products/barcode-scanners/osprey.svg"]?.toString() ?? ""
  ).replace("40", "44"),
  "categories/barcode-scanners.md": (validContent["categories/barcode-scanners.md"] ?? "").replace(
    "order: 10",
    "order: 10\nfilters: [Reads]\ninstead_of: [Epson]",
  ),
  "store.yaml": `${validContent["store.yaml"]}synonyms: [[LAN, Ethernet]]\n`,
};
