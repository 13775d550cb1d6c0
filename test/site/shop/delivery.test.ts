import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { type DeliveryMethod, deliveryPrice, type Parcel } from "../../../api/contract/delivery-methods.ts";
import { seededRandom } from "../../../api/operation/demo/random.ts";
import type { Variant } from "../../../site/content-schema/product.ts";
import { methodsOf } from "../../../site/content-schema/shipping.ts";
import { parseShop } from "../../../site/content-schema/shop.ts";
import {
  type Basket,
  CURRENCIES,
  inventBasket,
  type Method,
  priceByRules,
  to,
} from "../../api/selling/quote/by-the-rules.ts";
import { byDepth, seedFor } from "../../depth.ts";
import { validContent } from "../content-check/content-tree.ts";

const version = (price: string, weight_g: number | null, least = 1): Variant => ({
  ...{ sku: "A", gtin: null, barcode: null, price, availability: "in_stock", available_from: null },
  ...{ when_sold_out: "out_of_stock", options: {}, image: 0, specifications: {}, weight_g, tax_class: null },
  ...{ condition: "new", content: null, order_quantity: { least, step: 1 } },
});

const weights = `{ code: parcel, name: Parcel, by: weight, tiers: [{ up_to: 2000, price: "7.00" }, { up_to: 10500, price: "11.00" }], free_from: "200.00", transit_days: { min: 1, max: 2 } }`;
const values = `{ code: courier, name: Courier, by: value, tiers: [{ up_to: "50.00", price: "9.00" }, { up_to: "100.00", price: "5.00" }, { price: "3.00" }], free_from: "150.00", transit_days: { min: 0, max: 0 } }`;
const pieces = `{ code: van, name: Van, by: pieces, tiers: [{ up_to: 1, price: "20.00" }, { price: "30.00" }], transit_days: { min: 4, max: 9 } }`;
const pickup = `  pickup: { name: Collect in Leeds, street: 1 Mill Row, city: Leeds, postal_code: "LS1 9CK", country_code: GB, hours: "Monday to Friday, 9 to 17" }\n`;

/** By a variable, since they read settings that only a build has. */
const SETTINGS = join(import.meta.dirname, "../../../site/src/settings/shop.ts");
const PAGES = join(import.meta.dirname, "../../../site/src/shop/shipping-and-returns.ts");
const TEXTS = join(import.meta.dirname, "../../../site/src/shop/display-text.ts");
const JSON_LD = join(import.meta.dirname, "../../../site/src/json-ld/shipping-service.ts");

interface Pages {
  deliveryAtHome: (variant: Variant) => { service: string; price: string }[];
  describeDelivery: (variants: readonly Variant[]) => string | undefined;
  describeFirstDelivery: () => string | undefined;
  describePickup: () => string | undefined;
  describeTiers: (method: DeliveryMethod) => string;
}
interface Texts {
  deliveryTaxNote: string;
}
interface JsonLd {
  shippingService: () => object;
}

/** Where some goods are taxed otherwise. */
const CLASSES = 'classes: { reduced: { GB: "0.05" }, zero: { GB: "0" } }, export:';

/** The modules that speak of the delivery of a shop with such zones. */
async function shopWith(zones: string[], more = "", locale = "en-GB", includesTax = true, terms = CLASSES) {
  const text = (validContent["store.yaml"] ?? "")
    .replace("en-GB", locale)
    .replace("export:", terms)
    .replace("prices_include_tax: true", `prices_include_tax: ${includesTax}`);
  const yaml = `${text}shipping:\n  handling_days: { min: 0, max: 1 }\n  zones:\n${zones.map((zone) => `    - ${zone}\n`).join("")}${more}`;
  const shop = parseShop(yaml);
  vi.resetModules();
  vi.doMock("../../../site/src/settings/own-words.ts", () => ({ ownWords: {} }));
  vi.doMock(SETTINGS, () => ({ shop, takesCards: false }));
  const [pages, jsonLd, { deliveryTaxNote }] = (await Promise.all([import(PAGES), import(JSON_LD), import(TEXTS)])) as [
    Pages,
    JsonLd,
    Texts,
  ];
  return { ...pages, ...jsonLd, deliveryTaxNote, methods: shop.shipping?.zones.flatMap(methodsOf) ?? [] };
}

afterEach(() => void vi.doUnmock(SETTINGS));

const inOneZone = (...methods: string[]) => [`{ countries: [GB], methods: [${methods.join(", ")}] }`];

interface Limits {
  minValue?: string | number;
  maxValue?: string | number;
}

interface Condition {
  orderValue?: Limits;
  weight?: Limits & { unitCode: string };
  numItems?: Limits;
  shippingRate: { value: string };
}

/** What JSON-LD says of an order's delivery: every condition that holds for it. */
function ratesFor(conditions: readonly Condition[], { weight_g, value, pieces }: Parcel): string[] {
  const isWithin = (limits: Limits | undefined, amount: string | number | null) =>
    limits === undefined ||
    (Number(amount) >= Number(limits.minValue ?? 0) && Number(amount) <= Number(limits.maxValue ?? Infinity));
  return conditions
    .filter(
      (each) => isWithin(each.orderValue, value) && isWithin(each.weight, weight_g) && isWithin(each.numItems, pieces),
    )
    .map(({ shippingRate }) => shippingRate.value);
}

const expected = (method: DeliveryMethod, parcel: Parcel) => {
  const price = deliveryPrice(method, parcel);
  return price === undefined ? [] : [price];
};

test("structured data has one price for every order, that of the basket, to the gram, the cent and the piece", async () => {
  const { shippingService, methods } = await shopWith(inOneZone(weights, values, pieces));
  const services = shippingService() as unknown as { name: string; shippingConditions: Condition[] }[];
  expect(services.map(({ name }) => name)).toEqual(["Parcel", "Courier", "Van"]);
  const grams = [1, 1999, 2000, 2001, 10_499, 10_500, 10_501];
  const amounts = [
    "0.01",
    "49.99",
    "50.00",
    "50.01",
    "99.99",
    "100.00",
    "100.01",
    "149.99",
    "150.00",
    "199.99",
    "200.00",
    "200.01",
  ];
  for (const [index, method] of methods.entries())
    for (const weight_g of grams)
      for (const value of amounts)
        for (const count of [1, 2, 7]) {
          const parcel = { weight_g, value, pieces: count };
          const found = ratesFor(services[index]?.shippingConditions ?? [], parcel);
          expect([method.code, parcel, found]).toEqual([method.code, parcel, expected(method, parcel)]);
        }
});

test("where free delivery begins among the tiers, at one's end or above the last, no order has two prices", async () => {
  for (const free of ["49.99", "50.00", "50.01", "100.00", "100.01", "120.00", "120.01", "500.00"]) {
    const limited = values.replace("{ price", '{ up_to: "120.00", price').replace("150.00", free);
    const { shippingService, methods } = await shopWith(inOneZone(limited));
    const [service] = shippingService() as unknown as { shippingConditions: Condition[] }[];
    for (const value of [
      "0.01",
      "49.98",
      "49.99",
      "50.00",
      "50.01",
      "50.02",
      "99.99",
      "100.00",
      "100.01",
      "120.00",
      "120.01",
    ])
      for (const method of methods) {
        const parcel = { weight_g: 1, value, pieces: 1 };
        expect([free, value, ratesFor(service?.shippingConditions ?? [], parcel)]).toEqual([
          free,
          value,
          expected(method, parcel),
        ]);
      }
  }
});

/** A method as store.yaml has it, of which JSON is a part. */
const toYaml = ({ code, by, tiers, freeFrom }: Method) =>
  JSON.stringify({
    ...{ code, name: code, by, tiers: tiers.map(({ upTo, price }) => ({ ...(upTo && { up_to: upTo }), price })) },
    ...{ ...(freeFrom && { free_from: freeFrom }), transit_days: { min: 1, max: 2 } },
  });

test("what delivering a single piece at home costs is the same in structured data, Google's feed and by the rules", async () => {
  const random = seededRandom(seedFor("site/src", "api/contract"));
  const home = { home: "GB", rates: { GB: "0.21" }, export: [], reason: "", territory: "" };
  const place = to("GB", "SW1A 1AA");
  let free = 0;
  for (let nth = 0; nth < byDepth({ usual: 20, deep: 200 }); nth += 1) {
    const invented = inventBasket(random, nth * CURRENCIES.length, true);
    const basket: Basket = { ...invented, home, place, number: null, chosen: "pickup" };
    const priced = priceByRules(basket);
    const { shippingService, deliveryAtHome, methods } = await shopWith(
      inOneZone(...basket.methods.map(toYaml)),
      ...(["", "en-GB", basket.includesTax] as const),
    );
    const [{ price, grams, taxClass }] = basket.lines as [Basket["lines"][0]];
    const expected = priced?.ways.filter(([code]) => code !== "pickup");
    const inFeed = deliveryAtHome({ ...version(price, grams), tax_class: taxClass });
    expect({ basket, feed: inFeed.map(({ service, price }) => [service, price]) }).toEqual({ basket, feed: expected });
    // It has the usual tax, since it is of orders, whatever is in them.
    if (taxClass !== null) continue;
    const services = shippingService() as unknown as { shippingConditions: Condition[] }[];
    const parcel = { weight_g: grams, value: priced?.lines[0]?.[3] ?? "", pieces: 1 };
    const inJsonLd = methods.flatMap(({ code, by }, at) => {
      const conditions = by === "weight" && grams === null ? [] : (services[at]?.shippingConditions ?? []);
      return ratesFor(conditions, parcel).map((rate) => [code, rate]);
    });
    expect({ basket, jsonLd: inJsonLd }).toEqual({ basket, jsonLd: expected });
    free += inJsonLd.filter(([, rate]) => rate === "0.00").length;
  }
  expect(free).toBeGreaterThan(0);
});

test("a shop without methods and collection has one service, and one with them a service for each", async () => {
  const plain = '{ countries: [FR, DE], price: "19.00", transit_days: { min: 3, max: 5 } }';
  const { shippingService: one } = await shopWith([plain]);
  expect(one()).toMatchObject({
    "@type": "ShippingService",
    shippingConditions: [{ shippingRate: { value: "19.00" } }],
  });
  expect(one()).not.toHaveProperty("name");
  const { shippingService: many } = await shopWith([...inOneZone(weights), plain], pickup);
  expect(many()).toMatchObject([
    { name: "Parcel", fulfillmentType: "https://schema.org/FulfillmentTypeDelivery" },
    { name: "Standard delivery", shippingConditions: [{ shippingRate: { value: "19.00" } }] },
    {
      name: "Collect in Leeds",
      fulfillmentType: "https://schema.org/FulfillmentTypePickupInStore",
      shippingConditions: [{ shippingDestination: [{ addressCountry: "GB" }], shippingRate: { value: "0.00" } }],
    },
  ]);
});

test("where prices exclude tax, structured data adds the usual one to prices and limits of value", async () => {
  const { shippingService } = await shopWith(inOneZone(values), "", "en-GB", false);
  expect(shippingService()).toMatchObject([
    {
      shippingConditions: [
        { orderValue: { maxValue: "60.50" }, shippingRate: { value: "10.89" } },
        { orderValue: { minValue: "60.51", maxValue: "121.00" }, shippingRate: { value: "6.05" } },
        { orderValue: { minValue: "121.01", maxValue: "181.49" }, shippingRate: { value: "3.63" } },
        { orderValue: { minValue: "181.50" }, shippingRate: { value: "0.00" } },
      ],
    },
  ]);
});

test.each([
  [
    "en-GB",
    [
      "up to 2 kg: €7.00; over 2 kg, up to 10.5 kg: €11.00",
      "up to €50.00: €9.00; over €50.00, up to €100.00: €5.00; over €100.00: €3.00",
      "up to 1 piece: €20.00; over 1 piece: €30.00",
    ],
  ],
  [
    "de-DE",
    [
      "bis 2 kg: 7,00 €; über 2 kg bis 10,5 kg: 11,00 €",
      "bis 50,00 €: 9,00 €; über 50,00 € bis 100,00 €: 5,00 €; über 100,00 €: 3,00 €",
      "bis 1 Stück: 20,00 €; über 1 Stück: 30,00 €",
    ],
  ],
])("in %s the prices of a method are said by what they depend on", async (locale, texts) => {
  const { methods, describeTiers } = await shopWith(inOneZone(weights, values, pieces), "", locale);
  expect(methods.map((method) => describeTiers(method).replaceAll("\u00a0", " "))).toEqual(texts);
});

test.each([
  ["en-GB", true, "incl. 21% tax", "incl. tax"],
  ["en-GB", false, "plus 21% tax", "plus tax"],
  ["de-DE", true, "inkl. 21 % tax", "inkl. tax"],
  ["de-DE", false, "zzgl. 21 % tax", "zzgl. tax"],
])(
  "in %s prices of delivery (with tax: %s) have a rate only where all goods have one",
  async (locale, includesTax, usual, any) => {
    const noteWith = async (terms: string) =>
      (await shopWith(inOneZone(weights), "", locale, includesTax, terms)).deliveryTaxNote.replaceAll("\u00a0", " ");
    expect([await noteWith("export:"), await noteWith('classes: { reduced: { GB: "0.05" } }, export:')]).toEqual([
      usual,
      any,
    ]);
  },
);

test("below a kilogram a limit is in grams", async () => {
  const { methods, describeTiers } = await shopWith(inOneZone(weights.replace("2000", "850")));
  expect(methods.map((method) => describeTiers(method).replaceAll("\u00a0", " "))).toEqual([
    "up to 850 g: €7.00; over 850 g, up to 10.5 kg: €11.00",
  ]);
});

test.each([
  ["at a limit, the smaller price", version("10.00", 2000), "€7.00 to €9.00"],
  ["a gram above it, the next one", version("10.00", 2001), "€9.00 to €11.00"],
  ["a cent below free delivery, what it costs", version("199.99", 2001), "free or up to €11.00"],
  ["from there, nothing", version("200.00", 2001), "free"],
  ["above the last tier, other methods only", version("10.00", 10_501), "€9.00"],
  ["where several must be ordered, for so many", version("10.00", 1000, 3), "€9.00 to €11.00"],
])("a product's page says of its delivery %s", async (_what, variant, price) => {
  const { describeDelivery } = await shopWith(inOneZone(weights, values));
  const text = describeDelivery([variant]) ?? "";
  expect(text.split(/,| by country and way of delivery/)[0]).toBe(price);
});

test("a product's page says where it can be collected, and so do those of products that nothing else carries", async () => {
  const { describeDelivery, describePickup, describeFirstDelivery } = await shopWith(inOneZone(weights), pickup);
  expect(describeDelivery([version("10.00", 2000)])).toBe(
    "€7.00, in 1 to 3 working days; or collect it in Leeds, free",
  );
  expect(describeDelivery([version("10.00", 10_501)])).toBe("only to be collected in Leeds, free");
  expect(describePickup()).toBe(
    "Collect in Leeds: free, at 1 Mill Row, Leeds LS1 9CK, United Kingdom. Open Monday to Friday, 9 to 17.",
  );
  expect(describeFirstDelivery()).toBe(
    "United Kingdom: delivery in 1 to 3 working days, from €7.00, free over €200.00",
  );
  const { describeDelivery: withoutPickup } = await shopWith(inOneZone(weights));
  expect(withoutPickup([version("10.00", 10_501)])).toBeUndefined();
});
