import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, test } from "vitest";
import { readHtmlWords, readThings, type Thing } from "../../facts.ts";

const dist = inject("dist");
const pages = new Map<string, { html: string; things: Thing[] }>();

beforeAll(async () => {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".html")).sort();
  for (const name of names) {
    const html = await readFile(join(dist, name), "utf8");
    pages.set(name.replace(".html", ""), { html, things: readThings(html) });
  }
});

// The properties of our types in schema.org 30.0 (`domainIncludes`, inherited ones too).
const vocabulary: Record<string, string> = {
  Product:
    "name description url image brand category sku gtin13 color size material pattern additionalProperty offers subjectOf",
  ProductGroup:
    "name description url image brand category additionalProperty productGroupID variesBy hasVariant subjectOf",
  DigitalDocument: "name url inLanguage encodingFormat",
  Brand: "name",
  PropertyValue: "name value",
  Offer:
    "name sku gtin13 additionalProperty price priceCurrency priceSpecification availability availabilityStarts itemCondition url seller",
  AggregateOffer: "lowPrice highPrice priceCurrency offerCount availability",
  UnitPriceSpecification: "price priceCurrency valueAddedTaxIncluded",
  ShippingService: "name fulfillmentType handlingTime shippingConditions",
  ShippingConditions: "shippingDestination orderValue weight numItems shippingRate transitTime",
  MonetaryAmount: "value minValue maxValue currency",
  DefinedRegion: "addressCountry",
  ServicePeriod: "duration businessDays",
  QuantitativeValue: "minValue maxValue unitCode",
  MerchantReturnPolicy:
    "applicableCountry returnPolicyCountry returnPolicyCategory merchantReturnDays returnMethod returnFees merchantReturnLink",
  Organization:
    "name legalName description url logo email telephone address hasShippingService hasMerchantReturnPolicy",
  PostalAddress: "streetAddress addressLocality postalCode addressCountry",
  BreadcrumbList: "itemListElement",
  ListItem: "position name item",
  FAQPage: "mainEntity",
  Question: "name acceptedAnswer",
  Answer: "text",
};

interface FeedProduct {
  slug: string;
  title: string;
  variants: {
    sku: string;
    gtin: string | null;
    options: Record<string, string>;
    specifications: { name: string; value: string }[];
  }[];
}

const isThing = (value: unknown): value is Thing => typeof value === "object" && value !== null && "@type" in value;

/** A thing and all things nested in it. */
function withParts(thing: Thing): Thing[] {
  const values = Object.values(thing).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [thing, ...values.filter(isThing).flatMap(withParts)];
}

const typesOf = (name: string) => (pages.get(name)?.things ?? []).map((thing) => thing["@type"]);

/** All things of a type, nested ones too, each with its page. */
const every = (type: string) =>
  [...pages].flatMap(([name, { html, things }]) =>
    things
      .flatMap(withParts)
      .filter((thing) => thing["@type"] === type)
      .map((thing) => ({ name, html, thing })),
  );

test("every kind of page has its things, each with its own @context", () => {
  expect(typesOf("index")).toEqual(["Organization"]);
  for (const name of ["about", "contact"]) expect(typesOf(name)).toEqual(["Organization", "BreadcrumbList"]);
  expect(typesOf("terms")).toEqual(["BreadcrumbList"]);
  expect(typesOf("support")).toEqual(["FAQPage", "BreadcrumbList"]);
  expect(typesOf("categories/barcode-scanners")).toEqual(["BreadcrumbList"]);
  expect(typesOf("products/osmere-slate")).toEqual(["Product", "BreadcrumbList"]);
  expect(typesOf("products/osmere-facet")).toEqual(["ProductGroup", "FAQPage", "BreadcrumbList"]);
  expect(typesOf("404")).toEqual([]);
  for (const { things } of pages.values())
    for (const thing of things) expect(thing["@context"]).toBe("https://schema.org");
});

test("things have only properties of schema.org's vocabulary, without empty or relative values", () => {
  const parts = [...pages.values()].flatMap(({ things }) => things.flatMap(withParts));
  expect(parts.length).toBeGreaterThan(1000);
  for (const { "@type": type, "@context": _, ...properties } of parts) {
    const known = vocabulary[type]?.split(" ") ?? [];
    expect([type, Object.keys(properties).filter((name) => !known.includes(name))]).toEqual([type, []]);
    for (const [name, value] of Object.entries(properties)) {
      expect([type, name, value === null || value === "" || (Array.isArray(value) && value.length === 0)]).toEqual([
        type,
        name,
        false,
      ]);
      if (["url", "logo", "item", "image", "merchantReturnLink"].includes(name))
        expect(String(value)).toMatch(/^https:\/\/shop\.example\//);
    }
  }
});

test("an offer has everything that Google's merchant listings require or recommend", () => {
  for (const { thing } of every("Product"))
    for (const offer of [thing["offers"]].flat().filter(isThing)) {
      expect(offer).toMatchObject({
        price: expect.stringMatching(/^\d+\.\d\d$/),
        priceCurrency: "EUR",
        itemCondition: "https://schema.org/NewCondition",
        seller: { name: "Counterwell" },
      });
      // They are the shop's.
      expect(Object.keys(offer)).not.toEqual(expect.arrayContaining(["shippingDetails"]));
    }
});

test("the shop itself says once what delivery and returns cost and take, with tax, by the value of an order", () => {
  const [{ thing: shopItself } = { thing: {} as Thing }] = every("Organization").filter(({ name }) => name === "index");
  expect(shopItself).toMatchObject({
    hasMerchantReturnPolicy: { merchantReturnDays: 30, applicableCountry: expect.arrayContaining(["NL", "NO"]) },
  });
  const service = shopItself["hasShippingService"];
  const conditions = [isThing(service) && service["shippingConditions"]].flat().filter(isThing);
  const rates = conditions.map(({ orderValue, shippingRate }) => [
    isThing(orderValue) ? (orderValue["minValue"] ?? orderValue["maxValue"]) : undefined,
    isThing(shippingRate) && shippingRate["value"],
  ]);
  expect(rates).toEqual([
    ...["7.50", "11.50", "16.50"].flatMap((rate) => [
      ["499.99", rate],
      ["500.00", "0.00"],
    ]),
    [undefined, "24.00"],
  ]);
  for (const { transitTime } of conditions) expect(transitTime).toHaveProperty("businessDays.length", 5);
});

test("a product with versions is a group: one product for each version, named by what varies", async () => {
  const { products }: { products: FeedProduct[] } = JSON.parse(await readFile(join(dist, "products.json"), "utf8"));
  const feed = await readFile(join(dist, "merchant-feed.xml"), "utf8");
  const several = products.filter(({ variants }) => variants.length > 1);
  expect(every("ProductGroup").map(({ name }) => name)).toEqual(several.map(({ slug }) => `products/${slug}`).sort());
  const groups = new Map(every("ProductGroup").map(({ name, thing }) => [name, thing]));
  for (const { slug, title, variants } of several) {
    const { productGroupID, variesBy, hasVariant }: Partial<Thing> = groups.get(`products/${slug}`) ?? {};
    expect(feed).toContain(`<g:item_group_id>${productGroupID}</g:item_group_id>`);
    const names = [variesBy].flat().map(String);
    expect(names.map((name) => (name === "https://schema.org/color" ? "Colour" : name))).toEqual(
      Object.keys(variants[0]?.options ?? {}),
    );
    const shown = [hasVariant].flat().filter(isThing);
    expect(shown.map(({ sku, gtin13 = null }) => ({ sku, gtin: gtin13 }))).toEqual(
      variants.map(({ sku, gtin }) => ({ sku, gtin })),
    );
    for (const [index, { options, specifications }] of variants.entries()) {
      const { name, color, additionalProperty }: Partial<Thing> = shown[index] ?? {};
      expect(name).toBe(`${title}, ${Object.values(options).join(" / ")}`);
      const named = [additionalProperty].flat().filter(isThing);
      const known = color === undefined ? [] : [["Colour", color]];
      expect([...known, ...named.map(({ name, value }) => [name, value])].sort()).toEqual(
        Object.entries({
          ...options,
          ...Object.fromEntries(specifications.map(({ name, value }) => [name, value])),
        }).sort(),
      );
    }
  }
});

test("a product's pictures suit Google's listings, and the first is the page's preview", async () => {
  for (const { html, things } of pages.values()) {
    const product = things.find((thing) => /^Product(?:Group)?$/.test(thing["@type"]));
    if (product === undefined) continue;
    const [first, ...others] = [product["image"]].flat().map(String);
    expect(html).toContain(`<meta property="og:image" content="${first}">`);
    const versions = [product["hasVariant"]].flat().filter(isThing);
    expect([first, ...others]).toEqual(expect.arrayContaining(versions.map(({ image }) => image)));
    for (const url of [first ?? "", ...others]) {
      const file = await readFile(join(dist, new URL(url).pathname));
      expect([url, file.subarray(1, 4).toString()]).toEqual([expect.stringMatching(/\.png$/), "PNG"]);
    }
  }
});

test("breadcrumbs match those on the page", () => {
  for (const { html, thing } of every("BreadcrumbList")) {
    const [, nav = ""] = /<nav class="breadcrumbs".*?>(.*?)<\/nav>/s.exec(html) ?? [];
    const items = [thing["itemListElement"]].flat().filter(isThing);
    const shown = [...nav.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, item = ""]) =>
      item.replace(/<[^>]*>/g, "").trim(),
    );
    expect(items.map(({ name }) => String(name).replaceAll("&", "&amp;"))).toEqual(shown);
    expect(items.map(({ position }) => position)).toEqual(items.map((_, index) => index + 1));
    const links = [...nav.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => `https://shop.example${href}`);
    expect(items.slice(0, -1).map(({ item }) => item)).toEqual(links);
    expect(html).toContain(`<link rel="canonical" href="${items.at(-1)?.["item"]}">`);
  }
});

test("questions and answers are on the page, below headings with ids", () => {
  expect(every("FAQPage").length).toBeGreaterThan(4);
  for (const { html, thing } of every("FAQPage"))
    for (const { name, acceptedAnswer } of [thing["mainEntity"]].flat().filter(isThing)) {
      expect(readHtmlWords(html).text).toContain(`${name} ${isThing(acceptedAnswer) && acceptedAnswer["text"]}`);
      const headings = [...html.matchAll(/<h3 id="q-[a-z0-9-]+">(.*?)<\/h3>/g)].map(([, heading]) => heading);
      expect(headings.map((heading) => readHtmlWords(`<main>${heading}</main>`).text)).toContain(name);
    }
});
