import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { newProduct, writeContent } from "./content-tree.ts";

const root = writeContent(
  {
    "products/barcode-scanners/größe.md": newProduct("groesse"),
    "products/barcode-scanners/soon.md": newProduct("soon", "1.00", "draft: true"),
  },
  mkdtempSync(join(tmpdir(), "twinfront-redirects-")),
);
afterAll(() => rmSync(root, { recursive: true }));

/** What the check says of redirects.csv, without its name. */
async function check(csv: string | Buffer): Promise<string[]> {
  writeFileSync(join(root, "content/redirects.csv"), csv);
  const problems = await checkContent(root);
  return problems.map(formatProblem).flatMap((each) => each.split("content/redirects.csv:").slice(1));
}

/** Rows of the three lines that owners see in content/README.md, and of systems that shops move from. */
const VALID = `from,to
/collections/scanners,/categories/barcode-scanners
/old/scanner?variant=39,/products/kestrel-c2?sku=KES-C2
/product/scanner/,/products/kestrel-c2#specifications
/scanner.html,/products/gr%C3%B6%C3%9Fe
/catalog/product/view/id/7,
/?p=12,/products/größe
/?p=12&lang=de,/about
/index.php?route=product/product&product_id=5,https://old.example/5?a=b
/index.php/other,/llms.txt
/kestrel-old,/
"/a,b ""c""",/cart
"/order","/buy/KES-C2:1,~S0VTLUMy:999?country=DE"
`;

test("old addresses of other systems are correct, with Excel's byte order mark, line ends and empty lines too", async () => {
  expect(await check(VALID)).toEqual([]);
  expect(await check(`\uFEFF${VALID.replaceAll("\n", "\r\n\r\n")}`)).toEqual([]);
});

const WRONG_ROWS: [what: string, rows: string, message: string][] = [
  [
    "a page that is there",
    "/about/,/",
    "2: The page `/about` is there, so nobody is led away from it. Delete the line.",
  ],
  [
    "a later page of a category",
    "/categories/barcode-scanners/page/2,/",
    "2: The page `/categories/barcode-scanners/page/2` is there",
  ],
  ["a page, percent-encoded", "/products/%6Bestrel-c2,/", "2: The page `/products/kestrel-c2` is there"],
  ["a page in letters and accents apart", "/products/gro\u0308ße,/", "2: The page `/products/größe` is there"],
  ["a draft", "/products/soon,/", "2: The page `/products/soon` is a draft"],
  ["a page's former address", "/products/kestrel-c1,/about", "2: The page `/products/kestrel-c2` says already"],
  ["the basket", "/cart/old,/", "2: The shop itself answers `/cart/old`."],
  ["the home page", "/,/about", "2: The home page is always at `/`."],
  ["index.php alone", "/index.php,/about", "2: The home page is always at `/`."],
  ["a fragment", "/a#b,/about", "2: Browsers don't send what follows #. Write `/a`."],
  ["a host", "https://old.example/a?b=1,/about", "2: Write an old address without its host: `/a?b=1`."],
  ["a host without https:", "www.old.example/a?b=1,/about", "2: Write an old address without its host: `/a?b=1`."],
  ["a bare host", "old.example/a,/about", "2: Write an old address without its host: `/a`."],
  ["no slash before a file", "x.php/a,/about", "2: An old address starts with a slash: `/x.php/a`."],
  ["a page's Markdown", "/about.md,/", "2: The page `/about.md` is there, so nobody is led away from it."],
  ["the home page's Markdown", "/index.md,/about", "2: The page `/index.md` is there"],
  ["a draft's Markdown", "/products/soon.md,/about", "2: The page `/products/soon.md` is a draft"],
  ["a wildcard", "/a/*,/about", "2: `*` is a letter like any other here. Write each old address in a line of its own."],
  ["410 as a target", "/a,410", "2: `410` isn't a place to lead to. For a page that is gone, leave it empty: `/a,`."],
  ["GONE as a target", "/a,GONE", "2: `GONE` isn't a place to lead to."],
  [
    "a version that the target lacks",
    "/a,/products/kestrel-c2?sku=KES-C3",
    "2: The page `/products/kestrel-c2` has no version `KES-C3`. Did you mean `KES-C2`?",
  ],
  ["no slash", "x,/about", "2: An old address starts with a slash: `/x`."],
  ["a broken percent sign", "/100%,/about", "2: A % isn't followed by two hexadecimal digits"],
  ["a line break in it", "/a%0d%0ab,/about", "2: No visitor gets to such an address"],
  ["a hidden file", "/.git/config,/about", "2: No visitor gets to such an address"],
  ["an empty address", ",/about", "2: The old address is missing."],
  ["a long address", `/${"a".repeat(1001)},/about`, "2: The path has 1002 bytes, and the limit is 1000."],
  ["a target that isn't there", "/a,/abuot", "2: No page `/abuot`. Did you mean `/about`?"],
  [
    "a target that has moved",
    "/a,/products/kestrel-c1",
    "2: The page `/products/kestrel-c1` has moved. Write `/products/kestrel-c2`.",
  ],
  ["a link to order what isn't there", "/a,/buy/KES-C3:1", "2: No product has the SKU KES-C3. Did you mean `KES-C2`?"],
  ["a link to order no pieces", "/a,/buy/KES-C2", "2: `/buy/KES-C2` isn't a link to order."],
  ["a draft as a target", "/a,/products/soon", "2: The page `/products/soon` is a draft."],
  [
    "a target's heading that isn't there",
    "/a,/shipping#cost",
    "2: The page `/shipping` has no heading `#cost`. Did you mean `#costs`?",
  ],
  [
    "this shop's own address",
    "/a,https://test.example/about",
    "2: Write a link within the shop without its address: `/about`.",
  ],
  ["plain HTTP", "/a,http://other.example/", "2: `http://other.example/` isn't a place to lead to."],
  ["a script", "/a,javascript:alert(1)", "2: `javascript:alert(1)` isn't a place to lead to."],
  ["a host without https:", "/a,//evil.example", "2: `//evil.example` isn't a place to lead to."],
  ["a chain", "/a,/b\n/b,/about#content", "2: `/b` leads on. Write where visitors arrive: `/about#content`."],
  [
    "a chain to what is gone",
    "/a,/b\n/b,",
    "2: `/b` leads on. Write where visitors arrive: nothing, since it is gone.",
  ],
  ["itself", "/a,/a/", "2: `/a/` leads back here, line by line."],
  ["the same address twice", "/a,/about\n/a/,/about", "3: `/a/` is also on line"],
  [
    "the same parameters twice",
    "/?a=1&b=2,/about\n/index.php?b=2&a=1,/about",
    "3: `/index.php?b=2&a=1` is also on line",
  ],
  ["one column", "/a", "2: The comma is missing."],
  ["three columns", "/a,/b,/c", "2: This row has 3 columns instead of two."],
  ["semicolons below the head", "/a;/about", "2: Columns must be separated by commas: `/old,/new`."],
];

test("a wrong row is an error with its line and what to write", async () => {
  // So many in one check as are listed one by one.
  for (let begin = 0; begin < WRONG_ROWS.length; begin += 18) {
    const own = (text: string, index: number) => text.replaceAll(/\/([ab])\b/g, `/$1${index}`);
    let csv = "from,to\n";
    const expected = WRONG_ROWS.slice(begin, begin + 18).map(([what, rows, message], index) => {
      const before = csv.split("\n").length - 2;
      csv += `${own(rows, index)}\n`;
      const line = before + Number.parseInt(message, 10);
      return [what, expect.stringContaining(`${line}:${own(message.replace(/^\d+:/, ""), index)}`)];
    });
    const found = await check(csv);
    expect(found.map((message, index) => [expected[index]?.[0], message])).toEqual(expected);
  }
});

test.each([
  ["semicolons", "from;to\n/a;/about\n", "1: Columns must be separated by commas."],
  ["no head", "/a,/about\n", "1: The first line must be `from,to`, and it is `/a,/about`."],
  ["nothing", "", "1: The first line must be `from,to`"],
  ["an open quote", 'from,to\n/x,/about\n"/a,/about\n/b,/about\n', "3: A quote is open at the end of this line."],
  ["a quote inside a column", 'from,to\n/a"b"c,/about\n', "2: A quote stands inside a column."],
  ["Latin-1", Buffer.from("from,to\n/größe-alt,/about\n", "latin1"), "2: Letters here aren't in UTF-8."],
])("a file with %s is one error", async (_what, csv, message) => {
  expect(await check(csv)).toEqual([expect.stringContaining(message)]);
});

test("each row of a loop is an error", async () => {
  expect(await check("from,to\n/a,/b\n/b,/a\n")).toEqual(
    ["2: `/b`", "3: `/a`"].map((start) => `${start} leads back here, line by line. Write a page of this shop.`),
  );
});

test("of a file that is wrong throughout, the first lines are listed, and how many more there are", async () => {
  const found = await check(`from,to\n${"a,b\n".repeat(500)}`);
  expect(found.length).toBe(21);
  expect(found.at(-1)).toContain("480 more lines have problems, this one first: ");
});
