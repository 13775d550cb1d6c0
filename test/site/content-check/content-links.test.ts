import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { nearest } from "../../../site/content-schema/suggest.ts";
import { kestrel, type Mistake, problemsAfter, problemsWith } from "./content-problems.ts";
import { newProduct } from "./content-tree.ts";

const mistakes: Mistake[] = [
  [
    "a broken link",
    kestrel,
    "/shipping#costs",
    "/products/ospry",
    `content/${kestrel}:20: No page \`/products/ospry\`. Did you mean \`/products/osprey\`?`,
  ],
  [
    "a slash at a link's end",
    kestrel,
    "/shipping#costs",
    "/shipping/",
    `content/${kestrel}:20: The link \`/shipping/\` must be written as \`/shipping\`.`,
  ],
  [
    "a link to a version that the product lacks",
    kestrel,
    "/shipping#costs",
    "/products/osprey?o1=x&sku=OSP-WT#specifications",
    `content/${kestrel}:20: The page \`/products/osprey\` has no version \`OSP-WT\`. Did you mean \`OSP-WH\`?`,
  ],
  [
    "a link to a file",
    kestrel,
    "/shipping#costs",
    "../../pages/shipping.md",
    `content/${kestrel}:20: No page \`../../pages/shipping.md\`. Did you mean \`/shipping\`?`,
  ],
  [
    "a link with an invalid character",
    kestrel,
    "/shipping#costs",
    "https://a.example|",
    `content/${kestrel}:20: The link \`https://a.example|\` isn't a valid address. Check its last character.`,
  ],
  [
    "a link to a former address",
    "pages/about.md",
    "/guides/choosing",
    "/products/kestrel-c1",
    "content/pages/about.md:7: The page `/products/kestrel-c1` has moved. Write `/products/kestrel-c2`.",
  ],
  [
    "a link to a missing heading",
    kestrel,
    "#costs",
    "#cost",
    `content/${kestrel}:20: The page \`/shipping\` has no heading \`#cost\`. Did you mean \`#costs\`?`,
  ],
  [
    "a link to a heading missing from another product's text",
    kestrel,
    "/shipping#costs",
    "/products/osprey#what-it-dos",
    `content/${kestrel}:20: The page \`/products/osprey\` has no heading \`#what-it-dos\`. Did you mean \`#what-it-does\`?`,
  ],
  [
    "a link to a heading missing from the product's own text",
    kestrel,
    "/shipping#costs",
    "#in-the-bax",
    `content/${kestrel}:20: The page \`/products/kestrel-c2\` has no heading \`#in-the-bax\`.`,
  ],
  [
    "a link to a heading missing from a category's text",
    "pages/about.md",
    "/guides/choosing",
    "/categories/barcode-scanners#prices",
    "content/pages/about.md:7: The page `/categories/barcode-scanners` has no heading `#prices`.",
  ],
  [
    "a link to a heading missing from the API's endpoints",
    "pages/about.md",
    "/guides/choosing",
    "/developers#no-such-thing",
    "content/pages/about.md:7: The page `/developers` has no heading `#no-such-thing`.",
  ],
  [
    "a link to a heading missing from a generated page",
    "pages/about.md",
    "/guides/choosing",
    "/search#results",
    "content/pages/about.md:7: The page `/search` has no heading `#results`.",
  ],
  [
    "a link with the shop's own address",
    kestrel,
    "/shipping#costs",
    "https://test.example/shipping",
    `content/${kestrel}:20: Write a link within the shop without its address: \`/shipping\`.`,
  ],
  [
    "a broken link with the shop's own address in another spelling",
    kestrel,
    "/shipping#costs",
    "//TEST.example/nowhere",
    `content/${kestrel}:20: No page \`/nowhere\`.`,
  ],
  [
    "a link to the home page with the shop's own address",
    kestrel,
    "/shipping#costs",
    "https://test.example",
    `content/${kestrel}:20: Write a link within the shop without its address: \`/\`.`,
  ],
  [
    "a link to one face only",
    kestrel,
    "/shipping#costs",
    "/shipping.md",
    `content/${kestrel}:20: The link \`/shipping.md\` must be written as \`/shipping\`.`,
  ],
  [
    "a link to a page's file",
    kestrel,
    "/shipping#costs",
    "/index.html",
    `content/${kestrel}:20: The link \`/index.html\` must be written as \`/\`.`,
  ],
  [
    "a link without https",
    kestrel,
    "/shipping#costs",
    "www.example.com",
    `content/${kestrel}:20: The link \`www.example.com\` is incomplete. Write \`https://www.example.com\`.`,
  ],
  [
    "a link that runs code",
    kestrel,
    "/shipping#costs",
    "javascript:alert()",
    `content/${kestrel}:20: The link \`javascript:alert()\` must start with https:, mailto: or tel:.`,
  ],
];

test("a link may lead to a heading in a text, an API endpoint or a generated section", async () => {
  const links = [
    "#what-it-does",
    "/products/osprey#what-it-does",
    "/products/osprey#versions",
    "/products/osprey?sku=OSP-BK",
    "/products/osprey?sku=OSP%2DWH#specifications",
    "/products/osprey#specifications",
    "/developers#endpoints",
    "/developers-endpoints#listOrders",
    "/guides#content",
  ];
  const text = links.map((link) => `[A](${link})`).join(" ");
  expect(await problemsAfter(kestrel, "It scans.", text)).toEqual([]);
});

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);

/** A set that counts how often it is iterated. */
class CountingSet extends Set<string> {
  reads = 0;

  override [Symbol.iterator]() {
    this.reads += 1;
    return super[Symbol.iterator]();
  }
}

test("the nearest word to a typo is computed only once", () => {
  const pages = new CountingSet(["/products/osprey", "/shipping"]);
  for (let index = 0; index < 1000; index += 1) expect(nearest("/products/ospry", pages)).toBe("/products/osprey");
  expect(nearest("/nowhere-near", pages)).toBe(undefined);
  expect(nearest("/nowhere-near", pages)).toBe(undefined);
  expect(pages.reads).toBe(2);
});

/** How often `work` calls our function `name`: V8's own count, because time depends on what else the machine does. */
async function callsOf(name: string, work: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const functions = result.filter(({ url }) => url.includes("/site/")).flatMap((script) => script.functions);
  return functions
    .filter(({ functionName }) => functionName === name)
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}

test("a broken link in hundreds of files is looked for among the pages only once", async () => {
  const broken = Array.from({ length: 600 }, (_, index) => [
    `products/barcode-scanners/x${index}.md`,
    newProduct(`x${index}`).replace("/shipping#costs", "/products/nowhere-at-all-to-be-found"),
  ]);
  const searches = await callsOf("findNearest", async () => {
    expect(await problemsWith(Object.fromEntries(broken))).toHaveLength(600);
  });
  expect(searches).toBe(1);
});
