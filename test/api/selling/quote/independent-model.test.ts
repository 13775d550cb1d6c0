import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { type Random, seededRandom } from "../../../../api/operation/demo/random.ts";
import { quote } from "../../../../api/selling/quote/quote.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { shippingTo, shopFacts, variantAt } from "./shop.ts";

// Prices the same baskets a second time, by the rules of taxes and in fractions, with no code of the shop.

/** A fraction, never rounded. */
interface Fraction {
  top: bigint;
  bottom: bigint;
}

const fraction = (decimal: string): Fraction => {
  const [whole = "", part = ""] = decimal.split(".");
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
};
const add = (a: Fraction, b: Fraction) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom });
const minus = (a: Fraction, b: Fraction) => add(a, { ...b, top: -b.top });
const times = (a: Fraction, b: Fraction) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
const over = (a: Fraction, b: Fraction) => times(a, { top: b.bottom, bottom: b.top });
const one = fraction("1");
const isLess = (a: Fraction, b: Fraction) => a.top * b.bottom < b.top * a.bottom;

/** To so many decimals, half up; no amount here is negative. */
const rounded = ({ top, bottom }: Fraction, decimals: number): Fraction => {
  const unit = 10n ** BigInt(decimals);
  return { top: (2n * top * unit + bottom) / (2n * bottom), bottom: unit };
};

const written = (amount: Fraction, decimals: number) => {
  const text = String(rounded(amount, decimals).top).padStart(decimals + 1, "0");
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

const addUp = (amounts: Fraction[]) => amounts.reduce(add, fraction("0"));

/** `smallest`: the decimals of what can be paid. */
const CURRENCIES = [
  { currency: "EUR", decimals: 2, smallest: 2 },
  { currency: "HUF", decimals: 2, smallest: 0 },
  { currency: "JPY", decimals: 0, smallest: 0 },
  { currency: "KWD", decimals: 3, smallest: 3 },
];

/** Where goods go; `outside` has the name by which a zone reaches what isn't in the VAT area of `state`. */
interface Place {
  country: string;
  postal_code: string | null;
  state: string;
  outside?: string;
  /** The standard rate there, and the code by which a shop may name another. */
  rate?: string;
  code?: string;
  /** Another country whose VAT it has. */
  taxedWith?: string;
}

const to = (country: string, postal_code: string | null, more: Partial<Place> = {}): Place => {
  return { country, postal_code, state: country, ...more };
};
const PLACES: Place[] = [
  ...[to("NL", "1012 AB"), to("DE", "10115"), to("FI", "00100"), to("ES", "28013"), to("FR", "75001")],
  ...[to("PT", "1000-205"), to("AT", "1010"), to("IT", "23030"), to("GR", "10557"), to("HU", "1011"), to("DK", "1050")],
  ...[to("GB", "SW1A 1AA"), to("CH", "8001"), to("NO", "0150"), to("US", "62704")],
  to("GB", ".bt1 1aa", { state: "XI" }),
  to("GB", "IM1 1AA"),
  to("FR", "98000"),
  to("CH", "9490"),
  to("PT", "9000-001", { rate: "0.22" }),
  to("PT", "9500", { rate: "0.16", code: "PT-20" }),
  to("AT", "6691", { rate: "0.19" }),
  to("AT", "6992", { rate: "0.19" }),
  to("ES", "E-35001", { outside: "ES-CN" }),
  to("ES", "51001", { outside: "ES-CE" }),
  to("FI", "AX-22100", { outside: "FI-01" }),
  to("AX", "22100", { state: "FI", outside: "FI-01" }),
  to("DE", "27498", { outside: "DE-HELGOLAND" }),
  to("DE", "78266", { outside: "DE-BUESINGEN", taxedWith: "CH" }),
  to("IT", "23041", { outside: "IT-LIVIGNO" }),
  to("IT", "22061", { outside: "IT-CAMPIONE" }),
  to("GR", "GR 630 86", { outside: "GR-69" }),
  to("FR", "97133", { outside: "BL" }),
  to("FR", "97110", { outside: "GP" }),
  to("RE", "97400", { state: "FR", outside: "RE" }),
  to("DK", "3900", { outside: "GL" }),
  to("GB", "JE2 3AB", { outside: "JE" }),
  to("CH", "7563", { outside: "CH-SAMNAUN" }),
  to("NO", "9170", { outside: "SJ" }),
];

const IN_EU = "NL DE FI ES FR PT AT IT GR HU DK XI".split(" ");
const EU_RATES: Record<string, string> = {
  ...{ NL: "0.21", DE: "0.19", FI: "0.255", ES: "0.21", FR: "0.2", PT: "0.23", AT: "0.2", IT: "0.22" },
  ...{ GR: "0.24", HU: "0.27", DK: "0.25", XI: "0.2" },
};
const EU_SHOP = {
  rates: EU_RATES,
  export: ["GB", "CH", "NO", "US"],
  reason: "Export outside the EU, VAT-exempt",
  territory: "Delivery outside the EU’s VAT area, VAT-exempt",
};
interface Home {
  home: string;
  rates: Record<string, string>;
  export: string[];
  /** Why an export has no tax, and goods for a part of the EU or of home. */
  reason: string;
  territory: string;
}

const HOMES: Home[] = [
  { home: "NL", ...EU_SHOP },
  { home: "ES", ...EU_SHOP },
  { home: "PT", ...EU_SHOP },
  {
    home: "GB",
    rates: { GB: "0.2", DE: "0.19" },
    export: "NL FI ES FR PT AT IT GR HU DK CH NO US".split(" "),
    reason: "Export outside the United Kingdom, zero-rated",
    territory: "Export outside the United Kingdom, zero-rated",
  },
  {
    home: "CH",
    rates: { CH: "0.081" },
    export: [...IN_EU, "GB", "NO", "US"],
    reason: "Export outside Switzerland, VAT-exempt",
    territory: "Delivery to a Swiss customs exclusion area, VAT-exempt",
  },
  {
    home: "NO",
    rates: { NO: "0.25" },
    export: [...IN_EU, "GB", "CH", "US"],
    reason: "Export, tax-exempt",
    territory: "Delivery outside the tax area, tax-exempt",
  },
  {
    home: "US",
    rates: { US: "0" },
    export: [...IN_EU, "GB", "CH", "NO"],
    reason: "Export, tax-exempt",
    territory: "Delivery outside the tax area, tax-exempt",
  },
];

const VAT_NUMBERS = [
  null,
  { vat_id: "DE123456789", of: "DE", result: "valid" },
  { vat_id: "NL123456789B01", of: "NL", result: "valid" },
  { vat_id: "XI123456789", of: "XI", result: "valid" },
  { vat_id: "DE123456789", of: "DE", result: "unavailable" },
] as const;
type VatNumber = (typeof VAT_NUMBERS)[number];

/** What is charged, by the rules. */
function chargeAt({ home, rates, export: exports, reason, territory }: Home, place: Place, number: VatNumber) {
  const named = rates[place.outside ?? place.code ?? ""];
  const isForEu = IN_EU.includes(place.state) && IN_EU.includes(home);
  const state = place.state === "XI" && home === "GB" ? "GB" : place.state;
  const isDomestic = place.taxedWith === home || (place.outside === undefined && state === home);
  if (place.outside !== undefined && named === undefined && !isDomestic)
    return { treatment: "export", rate: "0", title: place.state === home || isForEu ? territory : reason };
  const rate = named ?? place.rate ?? rates[isDomestic ? home : state] ?? "";
  const title = `${Number((Number(rate) * 100).toFixed(4))}% VAT`;
  if (isDomestic) return { treatment: "domestic", rate, title };
  if (exports.includes(state) && named === undefined) return { treatment: "export", rate: "0", title: reason };
  if (isForEu && place.outside === undefined && number?.result === "valid" && number.of !== home)
    return {
      ...{ treatment: "reverse_charge", rate: "0" },
      title: "VAT-exempt intra-Community supply, Art. 138 Directive 2006/112/EC",
    };
  return { treatment: "destination", rate, title };
}

interface Basket {
  includesTax: boolean;
  currency: (typeof CURRENCIES)[number];
  home: Home;
  place: Place;
  number: VatNumber;
  lines: { price: string; quantity: number }[];
  delivery: string;
  freeFrom: string | null;
}

/** The basket's amounts as a quote has them. */
function priceByRules({ includesTax, currency, home, place, number, lines, delivery, freeFrom }: Basket) {
  const { treatment, rate, title } = chargeAt(home, place, number);
  const round = (amount: Fraction) => rounded(amount, currency.smallest);
  const write = (amount: Fraction) => written(amount, currency.decimals);
  const there = add(one, fraction(rate));
  const atHome = add(one, fraction(home.rates[home.home] ?? ""));
  const convert = (price: Fraction) => round(includesTax ? times(over(price, atHome), there) : price);
  const taxed = (amount: Fraction) => {
    const net = includesTax ? round(over(amount, there)) : amount;
    const total = includesTax ? amount : add(net, round(times(net, fraction(rate))));
    return { net, tax: minus(total, net), total };
  };
  const priced = lines.map(({ price, quantity }) => {
    const unit = convert(fraction(price));
    return { unit, ...taxed(times(unit, fraction(String(quantity)))) };
  });
  const atHomePrices = addUp(lines.map(({ price, quantity }) => times(fraction(price), fraction(String(quantity)))));
  const isFree = freeFrom !== null && !isLess(atHomePrices, fraction(freeFrom));
  const sent = convert(fraction(isFree ? "0" : delivery));
  const shipping = taxed(sent);
  const all = [...priced, shipping];
  return {
    treatment,
    title,
    lines: priced.map(({ unit, net, tax, total }) => [unit, net, tax, total].map(write)),
    shipping: [sent, shipping.total].map(write),
    taxes: [write(addUp(all.map(({ tax }) => tax)))],
    totals: {
      items_net: write(addUp(priced.map(({ net }) => net))),
      items_tax: write(addUp(priced.map(({ tax }) => tax))),
      shipping_net: write(shipping.net),
      shipping_tax: write(shipping.tax),
      discount: write(fraction("0")),
      tax: write(addUp(all.map(({ tax }) => tax))),
      total: write(addUp(all.map(({ total }) => total))),
    },
  };
}

/** The same by the shop. */
function priceByShop({ includesTax, currency, home, place, number, lines, delivery, freeFrom }: Basket) {
  const everywhere = [...PLACES.map(({ state, outside }) => outside ?? state), home.home].filter(
    (code) => code !== "XI",
  );
  const tax: ShopFacts["tax"] = { ...shopFacts().tax, home: home.home, rates: home.rates, export: home.export };
  const shop = shopFacts({
    ...{ tax, currency: currency.currency, prices_include_tax: includesTax },
    shipping: shippingTo({ price: delivery, free_from: freeFrom, countries: [...new Set(everywhere)] }),
  });
  const { country, postal_code } = place;
  const checked = { checked_at: "2026-11-22T12:00:00.000Z", consultation_number: null };
  const vat_check = number && { vat_id: number.vat_id, result: number.result, ...checked };
  const wanted = lines.map(({ price, quantity }) => ({ variant: variantAt(price), quantity }));
  const quoted = quote(shop, wanted, { country, postal_code, vat_check });
  return {
    treatment: quoted.treatment,
    title: quoted.lines[0]?.tax.title,
    lines: quoted.lines.map((line) => [line.unit_price, line.net_total, line.tax_total, line.total]),
    shipping: [quoted.shipping.price, quoted.shipping.total],
    taxes: quoted.tax_lines.map(({ amount }) => amount),
    totals: quoted.totals,
  };
}

function inventBasket({ between, chance, pick }: Random, nth: number): Basket {
  const currency = CURRENCIES[nth % CURRENCIES.length] as Basket["currency"];
  const amount = (most: number) =>
    written(
      { top: BigInt(between(0, 10 ** between(1, most))), bottom: 10n ** BigInt(currency.smallest) },
      currency.decimals,
    );
  const home = HOMES[nth % HOMES.length] as Home;
  // A shop may be registered where it needn't be, or have another rate than ours.
  const own = { "ES-CN": "0.07", "PT-20": "0.09", JE: "0.05" };
  const place = PLACES[Math.floor(nth / HOMES.length) % PLACES.length] as Place;
  const knows = chance(0.2);
  return {
    includesTax: chance(0.5),
    currency,
    home: knows ? { ...home, rates: { ...home.rates, ...own } } : home,
    place,
    number: pick(VAT_NUMBERS),
    lines: Array.from({ length: between(1, 6) }, () => ({
      price: amount(9),
      quantity: pick([1, 2, 3, between(4, 999)]),
    })),
    delivery: amount(5),
    freeFrom: chance(0.5) ? amount(8) : null,
  };
}

test("baskets cost what the rules say, to the last digit, in each kind of currency, for each place and home", () => {
  const random = seededRandom(seedFor("api/selling", "api/contract"));
  for (let nth = 0; nth < byDepth({ usual: 500, deep: 2_000 }); nth += 1) {
    const basket = inventBasket(random, nth);
    expect({ basket, ...priceByShop(basket) }).toEqual({ basket, ...priceByRules(basket) });
  }
});
