import { expect, test } from "vitest";
import { DRAFTS, MAIN } from "../../../site/admin/content/drafts.ts";
import { shops } from "../../workspace.ts";
import { base64, openAdmin, send } from "./admin-app.ts";
import { ANN, demoShopWith, filesOf, textOf } from "./repository.ts";

const files = demoShopWith(
  "barcode-scanners/quillon-reach",
  "barcode-scanners/tavrel-pip",
  "barcode-scanners/tavrel-c30",
);
const product = "content/products/barcode-scanners/quillon-reach.md";
const kettle = "content/products/kettles/kawa.md";
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
  expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${product}:\\d+: .*/products/nowhere`)));
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
  expect(problems.join("\n")).toMatch(/Über uns\.md:.*`über-uns`/);
});

/** Saves a file with some values changed, and returns the answer's message, and the file then. */
async function change(
  { open, save, repository }: Awaited<ReturnType<typeof openAdmin>>,
  path: string,
  change: (values: Values) => Values,
): Promise<{ status: number; message: unknown; text: string | undefined }> {
  const { sha, form, format } = await open(path);
  const values = { ...form.values, ...change(form.values as Values) };
  const content = send(format, { ...form, values } as typeof form);
  const answer = await save([{ operation: "update", path, sha, content }]);
  return { status: answer.statusCode, message: answer.json().message, text: await textOf(repository, DRAFTS, path) };
}

const firstZone = (values: Values, change: Values): Values => {
  const shipping = values["shipping"] as { zones: Values[] };
  return { shipping: { ...shipping, zones: withFirst(shipping.zones, change) } };
};

test("amounts are stored as the shop writes them, in every field that has one", async () => {
  const admin = await openAdmin({ files });
  const { text } = await change(admin, product, () => ({ price: "€ 1.129,5" }));
  expect(text).toContain('price: "1129.50"');
  const pip = "content/products/barcode-scanners/tavrel-pip.md";
  const versions = await change(admin, pip, ({ variants }) => ({ variants: withFirst(variants, { price: "89,-" }) }));
  expect(versions.text).toBe(await textOf(admin.repository, MAIN, pip));
  const store = await change(admin, "content/store.yaml", (values) =>
    firstZone(values, { price: "7,5", free_from: "1 500" }),
  );
  expect(store.text).toContain('price: "7.50"\n      free_from: "1500.00"');
});

test("amounts are stored that way from the form that Sveltia asks about before a save, too, or refused there", async () => {
  const { app, editor, open } = await openAdmin({ files });
  const { form } = await open(product);
  const prepare = async (price: string) => {
    const payload = { path: product, isNew: false, data: { ...form.values, price, body: form.body }, shown: [] };
    return (await app.inject({ method: "POST", url: "/api/admin/forms", headers: editor(ANN), payload })).json();
  };
  expect((await prepare("€ 1.129,5")).data.price).toBe("1129.50");
  expect((await prepare("1.089")).message).toMatch(/^Price: “1\.089” may be €1,089\.00 or €1\.09\./);
});

test("an amount that isn't clear is refused with its field's label and each reading, unless it was in the file", async () => {
  const admin = await openAdmin({ files });
  const store = "content/store.yaml";
  const refused = await change(admin, store, (values) => firstZone(values, { free_from: "1.089" }));
  expect([refused.status, refused.message]).toEqual([
    422,
    "Delivery, Zones 1, Free delivery from: “1.089” may be €1,089.00 or €1.09. Write 1089.00 or 1.09.",
  ]);
  const none = await change(admin, product, () => ({ price: "$ 5" }));
  expect(none.message).toMatch(/^Price: “\$ 5” isn't an amount in this shop's currency\. Write it, .* 189\.00\.$/);
  const german = await openAdmin({
    files: {
      ...filesOf(shops.second),
      [kettle]: `${filesOf(shops.second)[kettle]}`.replace(/price: .*/, 'price: "10.5"'),
    },
  });
  const kept = await change(german, kettle, () => ({ brand: "Andere" }));
  expect([kept.status, kept.text]).toEqual([201, expect.stringContaining('price: "10.5"')]);
  const inYen = await change(german, kettle, () => ({ price: "10,5" }));
  expect(inYen.message).toMatch(/^Preis: „10,5“ ist kein Betrag in der Währung des Shops\. .* 189\.$/);
  expect((await change(german, kettle, () => ({ price: "10.500" }))).text).toContain('price: "10500"');
});

test("what each version has of its own is refused above them by its label, unless it was in the file", async () => {
  const pip = "content/products/barcode-scanners/tavrel-pip.md";
  const admin = await openAdmin({ files });
  const refused = await change(admin, pip, () => ({ price: "89,00" }));
  expect([refused.status, refused.message]).toEqual([
    422,
    expect.stringMatching(/^Price: this product has versions, and each has its own\. Empty this field at the top/),
  ]);
  const stray = `${files[pip]}`.replace("\nvariants:", '\nprice: "89.00"\nvariants:');
  const other = await openAdmin({ files: { ...files, [pip]: stray } });
  expect((await change(other, pip, () => ({ brand: "Other" }))).status).toBe(201);
});

test.each([
  [
    "IMG_1234.HEIC",
    /^content\/pages\/IMG_1234\.HEIC können nicht alle Browser anzeigen\. .*„Maximale Kompatibilität“\.$/,
  ],
  ["IMG_1234.JPG", /Speichern Sie das Bild als JPEG, dessen Name auf \.jpg endet/],
  ["a.tiff", /ist kein Text, kein Bild und kein Dokument des Shops\. Speichern Sie die Datei als JPG/],
  ["a.png", /^a\.png lässt sich nicht als Bild verwenden\. Speichern Sie es neu: ein Foto als JPG oder PNG/],
])("a picture that can't be shown, %s, is refused with what to do, in the shop's language", async (name, said) => {
  const { save } = await openAdmin({ files: filesOf(shops.second) });
  const answer = await save([{ operation: "create", path: `content/pages/${name}`, content: base64("no picture") }]);
  expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(said)]);
});
