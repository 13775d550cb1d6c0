import { expect, test } from "vitest";
import { base64, openAdmin, send } from "./admin-app.ts";
import { demoShopWith } from "./repository.ts";

const files = demoShopWith(
  "barcode-scanners/quillon-reach",
  "barcode-scanners/tavrel-pip",
  "barcode-scanners/tavrel-c30",
);
const product = "content/products/barcode-scanners/quillon-reach.md";
type Values = Record<string, unknown>;

/** What content/README.md asks an editor not to do, as changes of a form, and what the check says of each. */
const mistakes: [name: string, change: (values: Values) => Values, said: RegExp][] = [
  ["a price of zero", () => ({ price: "0,00" }), /price "0\.00" is zero/],
  [
    "a GTIN with a typo",
    () => ({ gtin: "2000000000018" }),
    /gtin "2000000000018" has a wrong check digit: .* should be 5/,
  ],
  ["another product's SKU", () => ({ sku: "TAV-PIP-1D" }), /SKU TAV-PIP-1D is also in \S+quillon-reach\.md:\d+/],
  ["a summary that is too long", () => ({ summary: "a word ".repeat(30).trim() }), /summary has \d+ characters.*160/],
  [
    "a day that has passed",
    () => ({ availability: "backorder", available_from: "2020-01-01" }),
    /available_from.*2020-01-01/,
  ],
  ["HTML in a field", () => ({ title: "Tavrel <b>Pip</b>" }), /title.*<b>/],
  [
    "a picture that isn't there",
    ({ images }) => ({ images: withFirst(images, { src: "./nowhere.svg" }) }),
    /nowhere\.svg/,
  ],
  [
    "a specification that is still to be written",
    ({ specifications }) => ({ specifications: withFirst(specifications, { value: "?" }) }),
    /specifications are still `\?`: Type\./,
  ],
  [
    "a former address that is a page's",
    () => ({ formerly: "tavrel-c30" }),
    /address \/products\/tavrel-c30 is also used by \S+quillon-reach\.md:\d+/,
  ],
];

const withFirst = (list: unknown, change: Values) =>
  (list as Values[]).map((item, index) => (index === 0 ? { ...item, ...change } : item));

test.each(mistakes)("%s can be saved, and is told with its line and what to write", async (_name, change, said) => {
  const { get, open, save } = await openAdmin({ files });
  const { sha, form, format } = await open(product);
  const values = { ...form.values, ...change(form.values as Values) };
  const content = send(format, { ...form, values } as typeof form);
  expect((await save([{ operation: "update", path: product, sha, content }])).statusCode).toBe(201);
  const { problems } = (await get(`/api/admin/problems?path=${product}`)).json();
  expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^content\/\S+\.md:\d+: /)]));
  expect(problems.join("\n")).toMatch(said);
});

test("a link to a page that doesn't exist can be saved, and is told with its line", async () => {
  const { get, open, save } = await openAdmin({ files });
  const { sha, form, format } = await open(product);
  const content = send(format, { ...form, body: `${form.body}\n[More](/products/nowhere)\n` });
  expect((await save([{ operation: "update", path: product, sha, content }])).statusCode).toBe(201);
  const { problems } = (await get(`/api/admin/problems?path=${product}`)).json();
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${product}:\\d+: .*/products/nowhere`))]);
});

test("a mistake in a file isn't told of another whose name begins in the same way", async () => {
  const { get, save } = await openAdmin({ files });
  const file = (path: string) => ({
    operation: "create" as const,
    path,
    content: base64("---\ntitle: A\n---\nText.\n"),
  });
  await save([file("content/pages/zed.mdx")]);
  const told = async (path: string) => (await get(`/api/admin/problems?path=${path}`)).json().problems;
  expect(await told("content/pages/zed.mdx")).not.toEqual([]);
  expect(await told("content/pages/zed.md")).toEqual([]);
});

test("a file name with capitals or spaces can be saved, and is told", async () => {
  const { get, save } = await openAdmin({ files });
  const path = "content/pages/Über uns.md";
  const content = base64("---\ntitle: About\nsummary: Us.\n---\nText.\n");
  expect((await save([{ operation: "create", path, content }])).statusCode).toBe(201);
  const { problems } = (await get(`/api/admin/problems?path=${encodeURIComponent(path)}`)).json();
  expect(problems.join("\n")).toMatch(/Über uns\.md:.*a to z/);
});
