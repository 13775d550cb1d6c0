import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SearchFile } from "../../../../api/contract/built-files/search.ts";
import { find, findVariant } from "../../../../api/people/search/find.ts";
import { makeSearchIndex } from "../../../../api/people/search/search-index.ts";
import { readWish } from "../../../../api/people/search/wishes.ts";
import { buildSessionFolder } from "../../../../site/private-pages/session-folder.ts";
import { currencyNamesIn, searchGrammarIn } from "../../../../site/words/words-in.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { frame, startShopApi } from "../../platform/private-pages/pages.ts";
import { readMain } from "../basket/page-text.ts";
import { searchFile, searchIndexOf, searchProduct, searchVersion } from "./search-file.ts";

/** The paths that a query finds, and what else is said. */
async function search(query: string, given: Partial<SearchFile> = {}, isExact = false) {
  const index = await makeSearchIndex(searchFile(given));
  const { hits, variantOf: versionOf, mended, makers, categories } = find(index, query, { isExact });
  const paths = hits.map((entry) =>
    entry.kind === "product" ? entry.product.path : entry.kind === "category" ? "" : entry.page.path,
  );
  return {
    paths,
    skus: hits.map((entry) => (entry.kind === "product" ? versionOf(entry, new Map())?.sku : undefined)),
    mended,
    makers,
    categories,
  };
}

/** A shop's API, and pages of its search as text. */
async function startSearch(overrides: Parameters<typeof startShopApi>[0] = {}) {
  const api = await startShopApi(overrides);
  const get = (path: string, face = "html", headers = {}) =>
    api.app.inject({ url: path, headers: { "x-face": face, ...headers } });
  return { ...api, get };
}

/** What html-validate finds; the tests' frame has its doctype in lower case. */
const faultsOf = (html: string) => findHtmlFaults(html.replace("<!doctype", "<!DOCTYPE"), "search");

test("what a query is about comes before what goes with it", async () => {
  expect((await search("receipt printer")).paths.slice(0, 2)).toEqual(["/products/wren-58", "/products/finch-80"]);
  expect((await search("drawer cable")).paths[0]).toBe("/products/cable");
  expect((await search("cable for receipt printer")).paths[0]).toBe("/products/cable");
  expect((await search("returns")).paths).toEqual(["/returns"]);
});

test("of two words that no result has both of, the one that the query is about counts more", async () => {
  for (const [query, first] of [
    ["printer for scanner", "/products/wren-58"],
    ["scanner for printer", "/products/kestrel-c2"],
    ["rolls for scanner", "/products/roll-80"],
    ["scanner for rolls", "/products/kestrel-c2"],
  ] as const)
    expect([query, (await search(query)).paths[0]]).toEqual([query, first]);
});

test("a result that lacks words of the query is worth less, and with too little left isn't shown", async () => {
  expect((await search("drawer for receipt printer")).paths).toEqual([
    ...["/products/cable", "/products/wren-58", "/products/finch-80"],
  ]);
  expect((await search("rolls for kestrel")).paths).toEqual(["/products/roll-80"]);
});

test.each(["80mm printer", "80 mm printer", "80-mm printers"])(
  "%s finds the printer for that paper first",
  async (query) => {
    expect((await search(query)).paths[0]).toBe("/products/finch-80");
  },
);

test("a hit shows the picture of the version that it is about", async () => {
  const { get } = await startSearch();
  expect((await get("/search?q=kestrel+white")).payload).toContain('src="/white.webp"');
  expect((await get("/search?q=kestrel+black")).payload).not.toContain("<img");
});

test("words written as one, apart, with other endings or accents find the same", async () => {
  for (const query of ["drawercable", "drawer cables", "Dräwer cable", "drawer-cable"])
    expect([query, (await search(query)).paths[0]]).toEqual([query, "/products/cable"]);
  expect((await search("k estrel", { products: [searchProduct("kestrel", "Kestrel")] })).paths).toHaveLength(1);
});

test("other names, synonyms and makers that the shop doesn't sell lead to its own products", async () => {
  expect((await search("till roll")).paths[0]).toBe("/products/roll-80");
  expect((await search("qr code")).paths[0]).toBe("/products/kestrel-c2");
  const epson = await search("epson");
  expect([epson.paths.slice(0, 2), epson.makers, epson.mended]).toEqual([
    ["/products/wren-58", "/products/finch-80"],
    ["Epson"],
    undefined,
  ]);
});

test("a value that says what a product lacks isn't found", async () => {
  expect((await search("cutter")).paths).toEqual([]);
});

test("the words choose the version; otherwise it is the one that can be had soonest, and the cheapest of these", async () => {
  expect((await search("kestrel white")).skus[0]).toBe("KES-C2-WH");
  expect((await search("kestrel scanner")).skus[0]).toBe("KES-C2-BK");
  const versions = ["20", "9", "100"].map((net) => searchVersion(`HERON-${net}`, { price: { net, gross: net } }));
  const late = searchVersion("HERON-5", { price: { net: "5", gross: "5" }, availability: "backorder" });
  const products = [searchProduct("heron", "Heron scanner", { versions: [late, ...versions] })];
  expect((await search("heron", { products })).skus).toEqual(["HERON-9"]);
});

test("a slip is mended, unless the words are wanted as they are", async () => {
  const { paths, mended } = await search("cordlss scaner");
  expect([paths[0], mended]).toEqual(["/products/kestrel-c2", "cordless scanner"]);
  expect(await search("scaner", {}, true)).toMatchObject({ paths: [], mended: undefined });
  expect((await search("sacnner")).mended).toBe("scanner");
  expect((await search("xyzzyqux")).mended).toBeUndefined();
});

test.each(["kes-c2-bk", "KES C2 BK", "kesc2bk", "0200000000017", "200000000017", "02 00000-000017"])(
  "%s names a version and leads to its page, in the face that was asked for",
  async (query) => {
    const { get } = await startSearch();
    for (const [face, path] of [
      ["html", "/products/kestrel-c2?sku=KES-C2-BK"],
      ["md", "/products/kestrel-c2.md?sku=KES-C2-BK"],
    ] as const) {
      const { statusCode, headers } = await get(`/search?${new URLSearchParams({ q: query })}`, face);
      expect([statusCode, headers.location]).toEqual([303, path]);
    }
  },
);

test("SKUs that differ by case or hyphens lead nowhere unless one is written exactly", async () => {
  const products = ["AB-1", "ab-1"].map((sku) => searchProduct(sku, sku, { versions: [searchVersion(sku)] }));
  const index = await makeSearchIndex(searchFile({ products }));
  expect([findVariant(index, "ab1"), findVariant(index, "ab-1")?.variant.sku]).toEqual([undefined, "ab-1"]);
});

test("both faces show each result with version, price, stock and a whole sentence, and HTML leads to it", async () => {
  const { get, statements } = await startSearch();
  const html = await get("/search?q=kestrel+lanyard");
  const text = readMain(html.payload);
  const markdown = (await get("/search?q=kestrel+lanyard", "md")).payload;
  for (const shown of [text, markdown])
    for (const part of [
      "Kestrel C2 cordless scanner",
      "Black",
      "KES-C2-BK",
      "€156.20 net (€189.00 with VAT)",
      "In stock",
    ])
      expect(shown).toContain(part);
  expect(text).toContain("Yes, a lanyard is in the box with it.");
  expect(text).toContain("one of 2 versions");
  // Of two versions the visitor chooses one.
  expect(html.payload).toMatch(/<a class="add quiet" href="\/products\/kestrel-c2[^"]*">Choose/);
  expect(await faultsOf(html.payload)).toEqual([]);
  expect(markdown).toMatch(
    /^---\ntitle: Search results\nurl: https:\/\/shop\.example\/search\?q=kestrel\+lanyard\n---\n/,
  );
  expect(markdown).toContain("](https://shop.example/products/kestrel-c2.md?sku=KES-C2-BK)");
  // Twice the shop's facts and what the versions cost now.
  expect(statements).toHaveLength(4);
});

test("both faces say that a slip was mended and where to search for it all the same", async () => {
  const { get } = await startSearch();
  const text = readMain((await get("/search?q=scaner")).payload);
  expect(text).toContain("results for “scanner”. Search for “scaner” instead");
  expect((await get("/search?q=scaner", "md")).payload).toContain(
    "[Search for “scaner” instead](https://shop.example/search?q=scaner&exact=1)",
  );
  expect(readMain((await get("/search?q=scaner&exact=1")).payload)).toContain("Nothing found for “scaner”.");
});

test("results can be narrowed down to a category, a kind, and all are reached by pages of 12", async () => {
  const products = Array.from({ length: 45 }, (_, number) =>
    searchProduct(`p-${number}`, `Scanner ${number}`, { category: number < 25 ? "barcode-scanners" : "accessories" }),
  );
  const { get } = await startSearch({ search: searchFile({ products }) });
  const found = new Set<string>();
  let next: string | undefined = "/search?q=scanner";
  for (let page = 1; next !== undefined; page += 1) {
    const { payload } = await get(next);
    const paths = [...payload.matchAll(/<h3 class="card-title"><a href="([^"]+)"/g)].map(([, path = ""]) => path);
    expect([page, paths.length]).toEqual([page, page < 4 ? 12 : 10]);
    for (const path of paths) found.add(path);
    next = /<a href="([^"]+)" rel="next"/.exec(payload)?.[1]?.replaceAll("&amp;", "&").replaceAll("&#38;", "&");
  }
  expect(found.size).toBe(46);
  const text = readMain((await get("/search?q=scanner&in=accessories")).payload);
  expect(text).toContain("20 results for “scanner”.");
  for (const choice of ["All (46)", "Barcode scanners (25)", "Accessories (20)", "Guides (1)"])
    expect(text).toContain(choice);
  const markdown = (await get("/search?q=scanner", "md")).payload;
  expect(markdown).toMatch(/\[Accessories \(20\)\]\(https:\S+\), \[Guides \(1\)\]\(https:/);
  for (const odd of ["in=nothing", "page=99999", "page=-1", "page=x", "in=a&in=b"])
    expect([odd, (await get(`/search?q=scanner&${odd}`)).statusCode]).toEqual([odd, 200]);
});

test("a choice of a category also shows what it lists of other folders, and words find it by their names", async () => {
  const { categories, products } = searchFile();
  const gifts = { ...categories[0], slug: "gifts", title: "Presents", path: "/categories/gifts", is_in_header: false };
  const file = searchFile({
    categories: [...categories, { ...gifts, also_called: [], instead_of: [] } as (typeof categories)[number]],
    products: products.map((each) => ({ ...each, listed_in: each.slug === "kestrel-c2" ? ["gifts"] : [] })),
  });
  const { get } = await startSearch({ search: file });
  const text = readMain((await get("/search?q=scanner&in=gifts")).payload);
  expect(text).toContain("Presents (1)");
  expect(text).toContain("Kestrel C2");
  expect(text).not.toContain("Merlin");
  expect((await search("presents", file)).paths).toContain("/products/kestrel-c2");
  // Only those of the header are offered instead.
  expect((await get("/search?q=xyzzyqux", "md")).payload).not.toContain("/categories/gifts");
});

test("links to addresses beyond ASCII are percent-encoded in Markdown", async () => {
  const { categories, products } = searchFile();
  const { get } = await startSearch({
    search: searchFile({
      categories: categories.map((each) => ({ ...each, path: "/categories/größen" })),
      products: [...products, searchProduct("größe-ä", "Größe")],
    }),
  });
  expect((await get("/search?q=größe".replaceAll(/[öß]/g, encodeURIComponent), "md")).payload).toContain(
    "](https://shop.example/products/gr%C3%B6%C3%9Fe-%C3%A4.md",
  );
  expect((await get("/search?q=xyzzyqux", "md")).payload).toContain(
    "](https://shop.example/categories/gr%C3%B6%C3%9Fen.md)",
  );
});

test("where nothing is found, the page offers the categories and an address to ask", async () => {
  const { get } = await startSearch();
  for (const face of ["html", "md"]) {
    const { statusCode, payload } = await get("/search?q=xyzzyqux", face);
    expect(statusCode).toBe(200);
    for (const part of ["xyzzyqux", "/categories/receipt-printers", "sales@shop.example"])
      expect(payload).toContain(part);
  }
});

test.each([
  "%00<script>alert(1)</script>",
  "](javascript:x) `|` # *",
  "{{ 'x' | t }}",
  "x".repeat(1_000),
  "scanner ".repeat(125),
  "%zz%",
  "ürün 日本語 🤖",
  '"',
  "the",
])("%s is answered in both faces and shown as text", async (query) => {
  const { get } = await startSearch();
  for (const face of ["html", "md"]) {
    const { statusCode, payload } = await get(
      `/search?q=${query.startsWith("%zz") ? query : encodeURIComponent(query)}`,
      face,
    );
    expect(statusCode).toBe(200);
    expect(payload).not.toContain("<script>");
    if (face === "html") expect(await faultsOf(payload)).toEqual([]);
    else expect(payload).not.toMatch(/[^\\]\]\(javascript/);
  }
});

test.each([
  ["scanner under 100", "scanner", undefined, 100, false],
  ["scanner under €100", "scanner", undefined, 100, false],
  ["Scanner bis zu 1.150,50 Euro", "Scanner", undefined, 1_150.5, false],
  ["Drucker bis 150 €", "Drucker", undefined, 150, false],
  ["Kassenlade unter 100,- € auf Lager", "Kassenlade", undefined, 100, true],
  ["Drucker zwischen 50 und 80", "Drucker", 50, 80, false],
  ["Drucker ab 50€", "Drucker", 50, undefined, false],
  ["printer between €80 and €50", "printer", 50, 80, false],
  ["printer 50-80 euros usb", "printer usb", 50, 80, false],
  ["eur 50-80 printer", "printer", 50, 80, false],
  ["scanner, in stock, under €100!", "scanner,", undefined, 100, true],
  ["over 1,000 euros", "", 1_000, undefined, false],
  ["scanner < 100", "scanner", undefined, 100, false],
  ["printer >= 1,000", "printer", 1_000, undefined, false],
  ["Vorrätige Drucker", "Drucker", undefined, undefined, true],
  ["Drucker ab Lager bis 90", "Drucker", undefined, 90, true],
  ["100 euro printer", "printer", undefined, 100, false],
  ["available now: printer, max. 99.90", ": printer,", undefined, 99.9, true],
  ["printer under 80 mm", "printer under 80 mm", undefined, undefined, false],
  ["up to 6 tills", "up to 6 tills", undefined, undefined, false],
  ["Kasse für bis zu 4 Bildschirme", "Kasse für bis zu 4 Bildschirme", undefined, undefined, false],
  ["r80 from 58 to 80 mm", "r80 from 58 to 80 mm", undefined, undefined, false],
  ["under 99999999999999999999", "under 99999999999999999999", undefined, undefined, false],
  ["stock-taking in stockholm", "stock-taking in stockholm", undefined, undefined, false],
])("%s: the wish is read as it is meant", (query, rest, least, most, isInStock) => {
  const locale = /[A-ZÄÖÜ]/.test(query) ? "de-DE" : "en-GB";
  const facts = { language: searchGrammarIn(locale), currency: currencyNamesIn(locale, "EUR") };
  const inFull = (amount: number | undefined) =>
    amount === undefined ? undefined : BigInt(Math.round(amount * 10_000));
  expect(readWish(query, facts)).toEqual({ rest, least: inFull(least), most: inFull(most), isInStock });
});

test("a currency is written by its code, sign or name", () => {
  expect(currencyNamesIn("en-GB", "GBP")).toEqual(expect.arrayContaining(["GBP", "£", "pounds", "pound"]));
  expect(currencyNamesIn("de-CH", "CHF")).toEqual(expect.arrayContaining(["CHF", "Franken"]));
});

test("a wish of price and stock leaves the versions that fulfil it, says so, and can be dropped", async () => {
  expect((await search("scanner under 150")).skus).toEqual(["KES-C2-WH", undefined]);
  expect((await search("scanner under 150 in stock")).skus[0]).toBe("KES-C2-BK");
  expect((await search("scanner over €150")).skus).toEqual(["KES-C2-BK", "MERLIN", undefined]);
  const { get } = await startSearch();
  const html = (await get("/search?q=scanner+under+150")).payload;
  expect(readMain(html)).toContain("Products shown: net price up to €150.00. Search without it");
  expect(html).toContain('href="/search?q=scanner"');
  expect(await faultsOf(html)).toEqual([]);
  const markdown = (await get("/search?q=scanner+150-160+euros+in+stock", "md")).payload;
  expect(markdown).toContain("Products shown: net price from €150.00 to €160.00, in stock. [Search without it](https:");
  expect((await search("scanner under 150", {}, true)).skus).not.toEqual(["KES-C2-WH"]);
});

test("of what goes with a thing none fulfils a wish for the thing; the nearest are shown, and the page says so", async () => {
  const versions = [searchVersion("ROLL", { price: { net: "5.00", gross: null } })];
  const roll = searchProduct("roll", "Rolls for receipt printers", { category: "accessories", versions });
  const dear = searchProduct("dear", "Heron receipt printer", {
    category: "receipt-printers",
    versions: [searchVersion("DEAR", { price: { net: "90.00", gross: null } })],
  });
  const cheap = searchProduct("cheap", "Egret receipt printer", {
    category: "receipt-printers",
    versions: [searchVersion("CHEAP", { price: { net: "60.00", gross: null } })],
  });
  const cable = searchProduct("cable", "Cable printer USB", {
    category: "accessories",
    versions: [searchVersion("CABLE", { price: { net: "5.00", gross: null } })],
  });
  const shop = { products: [roll, dear, cheap, cable] };
  for (const query of ["receipt printer under 50", "printer under 50"])
    expect([query, (await search(query, shop)).skus]).toEqual([query, ["CHEAP", "DEAR"]]);
  const { get } = await startSearch({ search: searchFile(shop) });
  const text = readMain((await get("/search?q=receipt+printer+under+50")).payload);
  expect(text).toContain("No product meets this: price up to €50.00. These come nearest.");
});

test("a product that has a value comes before one whose text mentions another that has it", async () => {
  const corded = searchProduct("corded", "Corded 2D scanner", { text: "As the cordless one, without its radio." });
  const radio = searchProduct("radio", "Pocket scanner", {
    specifications: [
      { name: "Reads", value: "2D" },
      { name: "Connection", value: "Bluetooth" },
    ],
  });
  const products = [corded, radio];
  for (const query of ["cordless 2D scanner", "scanner 2D cordless", "cordles scanner 2d"])
    expect([query, (await search(query, { products })).paths[0]]).toEqual([query, "/products/radio"]);
});

test.each(["kabelloser Scanner", "Scanner kabellos", "schnurlose Scanner", "drahtloser Scanner unter 200 € auf Lager"])(
  "in German %s finds what is cordless, and what has Bluetooth",
  async (query) => {
    const specifications = [{ name: "Verbindung", value: "Bluetooth" }];
    const products = [
      searchProduct("kabel", "Handscanner mit Kabel", { text: "Kein kabelloser Scanner." }),
      searchProduct("funk", "Kabelloser Scanner"),
      searchProduct("bluetooth", "Taschenscanner", { also_called: ["Scanner"], specifications }),
    ];
    const { paths } = await search(query, { products, language: searchGrammarIn("de-DE") });
    expect(paths.slice(0, 2).sort()).toEqual(["/products/bluetooth", "/products/funk"]);
  },
);

test("an inch is written in any way", async () => {
  const products = [searchProduct("panel", "Panel 21.5″"), searchProduct("tablet", "Panel 10″")];
  for (const size of ["21.5 inch", '21.5"', "21.5”", "21.5″", "21.5''", "21.5 zoll"])
    expect([size, (await search(`${size} panel`, { products })).paths[0]]).toEqual([size, "/products/panel"]);
});

test("a compound is what it ends with, whether its beginning is known or not", async () => {
  for (const query of ["handscanner", "cradlescanner"])
    expect([query, (await search(query)).paths.slice(0, 2).sort()]).toEqual([
      query,
      ["/products/kestrel-c2", "/products/merlin"],
    ]);
});

test("a speed isn't a width", async () => {
  const printer = (slug: string, value: string) =>
    searchProduct(slug, `${slug} printer`, { specifications: [{ name: "Value", value }] });
  const products = [printer("quick", "80 mm/s"), printer("wide", "80 mm")];
  expect((await search("80 mm printer", { products })).paths[0]).toBe("/products/wide");
  expect((await search("12 volt printer", { products: [printer("a", "24 V"), printer("b", "12 V")] })).paths[0]).toBe(
    "/products/b",
  );
});

test.each(["0017", "000017", "00 0017", "00000017"])("%s, the end of a GTIN, finds its version", async (query) => {
  expect((await search(query)).skus[0]).toBe("KES-C2-BK");
});

test("four digits that a text has are that number, and others aren't the end of anything", async () => {
  const products = [...searchFile().products, searchProduct("egret", "Egret 0017 scanner")];
  expect((await search("0017", { products })).paths).toEqual(["/products/egret"]);
  for (const query of ["017", "0018", "900000017", "c2-bk"])
    expect((await search(query)).skus[0] ?? "").not.toBe("KES-C2-X");
});

test.each(["02107740004119", "12107740004116", "0 2107740 00411 9"])(
  "%s, the GTIN-14 of a carton, leads to what is in it",
  async (query) => {
    const versions = [searchVersion("T40", { gtin: "2107740004119" })];
    const index = await makeSearchIndex(searchFile({ products: [searchProduct("t40", "T40", { versions })] }));
    expect(findVariant(index, query)?.variant.sku).toBe("T40");
  },
);

test("pages for programmers come after all others that have the words, and first where only they have them", async () => {
  const page = (kind: "page" | "developers", path: string, title: string, text: string) => {
    return { kind, path, title, summary: title, text };
  };
  const pages = [
    page("developers", "/developers", "A program that pulls orders", "An order may be cancelled: cancel it."),
    page("page", "/terms", "Terms", "You may cancel your order."),
  ];
  expect((await search("cancel order", { pages })).paths).toEqual(["/terms", "/developers"]);
  expect((await search("program", { pages })).paths).toEqual(["/developers"]);
});

test("a search without words leads to the page of the build", async () => {
  const { get } = await startSearch();
  expect((await get("/search?q=%20")).headers.location).toBe("/search");
  expect((await get("/search", "md")).headers.location).toBe("/search.md");
  expect((await get("/search/x")).statusCode).toBe(404);
});

test("a page of results is public, is revalidated by its ETag, and differs between faces", async () => {
  const { get } = await startSearch();
  const { headers } = await get("/search?q=scanner");
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=0, must-revalidate",
    link: '<https://shop.example/search?q=scanner>; rel="canonical", </search.md?q=scanner>; rel="alternate"; type="text/markdown"',
  });
  expect(headers["set-cookie"]).toBeUndefined();
  const etag = String(headers.etag);
  const again = await get("/search?q=scanner", "html", { "if-none-match": `W/${etag}` });
  expect([again.statusCode, again.payload]).toEqual([304, ""]);
  const markdown = await get("/search?q=scanner", "md", { "if-none-match": etag });
  expect([markdown.statusCode, markdown.headers["content-location"]]).toEqual([200, "/search.md?q=scanner"]);
});

test("100 searches at once are answered, and an address that asks for more than its share has to wait", async () => {
  const { get } = await startSearch({ rateLimitPerMinute: 120, now: () => 5_000 });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => get(`/search?q=scanner+${number}`)));
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  for (let turn = 0; turn < 20; turn += 1) await get("/search?q=x");
  const refused = await get("/search?q=x");
  expect([refused.statusCode, refused.headers["retry-after"], refused.headers["cache-control"]]).toEqual([
    429,
    "60",
    "no-store",
  ]);
  expect((await get("/search?q=x", "html", { "x-forwarded-for": "198.51.100.7" })).statusCode).toBe(200);
});

test("a new build is searched within moments, and one that can't be used leaves the last one in use and says why", async () => {
  const { app, get, sessionPages } = await startSearch();
  const build = (search: Buffer) => {
    const shop = { name: "Shop", locale: "en-GB", currency: "EUR" };
    return buildSessionFolder({ frame, shop, search, assistant: "{}", out: sessionPages });
  };
  const text = async (query: string) => readMain((await get(`/search?q=${query}`)).payload);
  expect(await text("ostrich+scanner")).not.toContain("Ostrich");
  const built = await searchIndexOf(searchFile({ products: [searchProduct("ostrich", "Ostrich scanner")] }));
  await build(built);
  await expect.poll(() => text("ostrich+scanner")).toContain("Ostrich scanner");
  const fault = async () => (await app.inject("/api/health/ready")).json().private_pages;
  const file = join(sessionPages, "search.index");
  const cutOff = async () => {
    await build(await searchIndexOf(searchFile()));
    truncateSync(file, 1_000);
  };
  const missing = async () => {
    await build(Buffer.from("as before the index was a file"));
    rmSync(file);
  };
  const ofAnotherFormat = Buffer.from(built);
  ofAnotherFormat.writeUInt32LE(9_999, 4);
  const odd = Object.assign(searchProduct("emu", "Emu"), { age: 1 });
  const ofAnotherShape = await searchIndexOf(searchFile({ products: [odd] }));
  for (const [make, why] of [
    [cutOff, /^search\.index is of another build than the manifest\./],
    [missing, /^The site's build has no search\.index\. Site and API must have the same code/],
    [() => build(ofAnotherFormat), /^search\.index is of another release\. Site and API must have the same code/],
    [() => build(Buffer.of(1, 2)), /^search\.index is of another release\./],
    [() => build(ofAnotherShape), /^search\.index doesn't fit this release of the API: \/age isn't a field/],
  ] as const) {
    await make();
    await expect.poll(fault).toMatch(why);
    expect(await text("ostrich+scanner")).toContain("Ostrich scanner");
  }
});
