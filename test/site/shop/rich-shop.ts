import { osprey } from "../content-check/content-problems.ts";
import { newProduct, validContent } from "../content-check/content-tree.ts";

const scanners = "products/barcode-scanners";
const cases = "products/cases";

/** The Osprey: the black version has its own speed, the white one its own weight and picture, and their colours are specifications too. */
const differing = (validContent[osprey] ?? "")
  .replace("{ Colour: Black }", '{ Colour: Black }\n    specifications: { Speed: "200 scans/s" }')
  .replace(
    "{ Colour: White }",
    "{ Colour: White }\n    specifications: { Weight: [90 g, 80 g with clip] }\n    image: ./osprey-white.svg",
  )
  .replace("Reads: 1D and 2D codes", 'Reads: 1D\n  Speed: "100 scans/s"\n  Colour: Black or white')
  .replace("variants:", "  - src: ./osprey-white.svg\n    alt: The Osprey in white\nvariants:");

/** Scanners a to f, which fit or don't fit others. */
const related = {
  a: newProduct("a", "9.00", 'works_with: { d: "one cable, 24 V", printer: the same rolls }'),
  b: newProduct("b", "1000.00", "does_not_work_with: { printer: another plug }\nalternatives: [d, a]"),
  c: newProduct("c", "20.00", "works_with: { osprey: { reason: white as it is, versions: [OSP-WH] } }"),
  d: newProduct(
    "d",
    "30.00",
    "works_with: { c: { reason: lies on it, one_way: true } }\ndoes_not_work_with: { osprey: { reason: another shape, one_way: true } }",
  ),
  e: newProduct("e", "40.00").replace("Reads: 1D and 2D codes", "Reads: [1D, 2D]"),
  f: newProduct("f", "50.00", "works_with: { e: { with: printer, reason: the printer has the port } }"),
};

export const pdf = "%PDF-1.7\nas an editor saved it\n";
const documents = `documents:
  - kind: manual
    title: Quick start
    file: ./quick-start.pdf
    language: de
  - kind: driver
    title: Driver for Windows
    link: https://maker.example/driver
    language: en`;

/** Some goods are taxed otherwise, and all can be sent in two ways or collected. */
const terms = `shipping:
  handling_days: { min: 0, max: 1 }
  zones:
    - countries: [GB]
      methods:
        - code: parcel
          name: Parcel | post
          by: pieces
          tiers: [{ up_to: 2, price: "7.00" }, { price: "11.00" }]
          free_from: "200.00"
          transit_days: { min: 1, max: 2 }
        - code: courier
          name: Courier
          by: value
          tiers: [{ price: "25.00" }]
          transit_days: { min: 0, max: 0 }
    - countries: [FR, DE]
      price: "19.00"
      transit_days: { min: 3, max: 5 }
  pickup: { name: Collect in London, street: 1 Test Street, city: London, postal_code: "EC1A 1AA", country_code: GB }
`;

const packed = `maker: caseworks
warnings: ["Small parts: keep away from children."]
condition: refurbished
content: { amount: "500", unit: g, pieces: 2 }
order_quantity: { least: 12, step: 6 }`;

const caseworks = `---
name: Caseworks Ltd
address: 1 Case Lane, Leeds
country: GB
email: safety@caseworks.example
responsible: { name: Caseworks EU, address: "Kade 1, Utrecht", country: NL, web: "https://caseworks.example/eu/" }
---
`;

/**
 * For tests that only read a build: the small shop with related scanners, an Osprey whose versions differ, a printer and one for
 * the belt below hardware, no spare parts, and of the cases one with documents, a size, a weight and another rate of tax, and a
 * draft with a document.
 */
export const richShop: Record<string, string | null> = {
  "pages/shipping.md": null,
  "store.yaml": `${(validContent["store.yaml"] ?? "").replace("export:", 'classes: { reduced: { GB: "0.05" } }, export:')}${terms}`,
  "pages/shipping.mdx": (validContent["pages/shipping.md"] ?? "").replace("Nothing.", "<ShippingTable />"),
  [osprey]: differing,
  [`${scanners}/osprey-white.svg`]: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>',
  ...Object.fromEntries(Object.entries(related).map(([slug, text]) => [`${scanners}/${slug}.md`, text])),
  "categories/printers.md":
    "---\ntitle: Printers\nsummary: They print.\norder: 20\nparent: hardware\n---\n\nSome print.\n",
  "products/printers/printer.md": newProduct("printer", "99.00"),
  "categories/hardware.md":
    "---\ntitle: Hardware\nsummary: It stands.\norder: 40\nrecommended: [belt]\n---\n\nSome stand.\n",
  "categories/belt-printers.md":
    "---\ntitle: Belt printers\nsummary: They walk.\norder: 5\nparent: printers\n---\n\nSome walk.\n",
  "products/belt-printers/belt.md": newProduct("belt", "59.00", "also_in: [cases]"),
  "categories/spare-parts.md": "---\ntitle: Spare parts\nsummary: They mend.\norder: 1\n---\n\nNone yet.\n",
  "categories/cases.md": "---\ntitle: Cases\nsummary: They protect.\norder: 30\n---\n\nSome protect.\n",
  [`${cases}/case.md`]: newProduct("case", "9.00", `${documents}\n${packed}`)
    .replace("Reads:", "Dimensions: 84 × 38 × 21 mm\n  Reads:")
    .replace("specifications:", "weight_g: 850\ntax_class: reduced\nspecifications:"),
  "makers/caseworks.md": caseworks,
  [`${cases}/quick-start.pdf`]: pdf,
  [`${cases}/later.md`]: newProduct(
    "later",
    "9.00",
    "documents: [{ kind: manual, title: Old, file: ./old.txt, language: en }]\ndraft: true",
  ),
  [`${cases}/old.txt`]: "Old.\n",
};
