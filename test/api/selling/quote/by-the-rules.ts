import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import type { Random } from "../../../../api/operation/demo/random.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { shopFacts, variantAt } from "./shop.ts";

// Prices the same baskets a second time, by the rules of taxes and in fractions, with no code of the shop.

/** A fraction, never rounded. */
export interface Fraction {
  top: bigint;
  bottom: bigint;
}

export const fraction = (decimal: string): Fraction => {
  const [whole = "", part = ""] = decimal.split(".");
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
};
const add = (a: Fraction, b: Fraction) =>
  a.bottom === b.bottom
    ? { top: a.top + b.top, bottom: a.bottom }
    : { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom };
export const minus = (a: Fraction, b: Fraction) => add(a, { ...b, top: -b.top });
export const times = (a: Fraction, b: Fraction) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom });
const over = (a: Fraction, b: Fraction) => times(a, { top: b.bottom, bottom: b.top });
const one = fraction("1");
export const isLess = (a: Fraction, b: Fraction) => a.top * b.bottom < b.top * a.bottom;

/** To so many decimals, half up; no amount here is negative. */
const rounded = ({ top, bottom }: Fraction, decimals: number): Fraction => {
  const unit = 10n ** BigInt(decimals);
  return { top: (2n * top * unit + bottom) / (2n * bottom), bottom: unit };
};

export const written = (amount: Fraction, decimals: number) => {
  const text = String(rounded(amount, decimals).top).padStart(decimals + 1, "0");
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

export const addUp = (amounts: Fraction[]) => amounts.reduce(add, fraction("0"));

/** `smallest`: the decimals of what can be paid. */
export const CURRENCIES = [
  { currency: "EUR", decimals: 2, smallest: 2 },
  { currency: "HUF", decimals: 2, smallest: 0 },
  { currency: "JPY", decimals: 0, smallest: 0 },
  { currency: "KWD", decimals: 3, smallest: 3 },
];

/** Where goods go; `outside` has the name by which a zone reaches what isn't in the VAT area of `state`. */
export interface Place {
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

export const to = (country: string, postal_code: string | null, more: Partial<Place> = {}): Place => {
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

/** Rates of two classes of goods at all places of the usual ones. */
const classesOf = (rates: Record<string, string>): Record<string, Record<string, string>> => ({
  reduced: Object.fromEntries(Object.keys(rates).map((code, at) => [code, ["0.05", "0.09", "0.1"][at % 3] ?? ""])),
  zero: Object.fromEntries(Object.keys(rates).map((code, at) => [code, ["0", "0.025"][at % 2] ?? ""])),
});

const VAT_NUMBERS = [
  null,
  { vat_id: "DE123456789", of: "DE", result: "valid" },
  { vat_id: "NL123456789B01", of: "NL", result: "valid" },
  { vat_id: "XI123456789", of: "XI", result: "valid" },
  { vat_id: "DE123456789", of: "DE", result: "unavailable" },
] as const;
type VatNumber = (typeof VAT_NUMBERS)[number];

/** What is charged, by the rules. */
function chargeAt(
  { home, rates, export: exports, reason, territory }: Home,
  place: Place,
  number: VatNumber,
  taxClass: string | null,
) {
  const named = rates[place.outside ?? place.code ?? ""];
  const isForEu = IN_EU.includes(place.state) && IN_EU.includes(home);
  const state = place.state === "XI" && home === "GB" ? "GB" : place.state;
  const isDomestic = place.taxedWith === home || (place.outside === undefined && state === home);
  if (place.outside !== undefined && named === undefined && !isDomestic)
    return { treatment: "export", rate: "0", title: place.state === home || isForEu ? territory : reason };
  const ofClass = taxClass === null ? undefined : classesOf(rates)[taxClass];
  const usual = named ?? place.rate ?? rates[isDomestic ? home : state];
  const rate =
    (ofClass ? (ofClass[place.outside ?? place.code ?? ""] ?? ofClass[isDomestic ? home : state]) : usual) ?? "";
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

export interface Basket {
  includesTax: boolean;
  currency: (typeof CURRENCIES)[number];
  home: Home;
  place: Place;
  number: VatNumber;
  lines: { price: string; quantity: number; taxClass: string | null; grams: number | null }[];
  methods: Method[];
  chosen: string | null;
}

export interface Method {
  code: string;
  by: "weight" | "value" | "pieces";
  tiers: { upTo: string | null; price: string }[];
  freeFrom: string | null;
}

/** Where the goods of some baskets are collected: the place is at home. */
const collectedAt = ({ home }: Home): Place => {
  const postcodes: Record<string, string> = {
    NL: "1012 AB",
    ES: "28013",
    PT: "1000-205",
    GB: "SW1A 1AA",
    CH: "8001",
    NO: "0150",
  };
  return to(home, postcodes[home] ?? "62704");
};

/** What a method asks for goods at home; undefined if it doesn't take them. */
function askedBy({ by, tiers, freeFrom }: Method, lines: Basket["lines"]): Fraction | undefined {
  const count = (amount: Fraction, quantity: number) => times(amount, fraction(String(quantity)));
  const value = addUp(lines.map(({ price, quantity }) => count(fraction(price), quantity)));
  const pieces = addUp(lines.map(({ quantity }) => fraction(String(quantity))));
  const grams = addUp(lines.map((line) => count(fraction(String(line.grams ?? 0)), line.quantity)));
  if (by === "weight" && lines.some((line) => line.grams === null)) return undefined;
  const measured = { weight: grams, value, pieces }[by];
  const tier = tiers.find(({ upTo }) => upTo === null || !isLess(fraction(upTo), measured));
  if (tier === undefined) return undefined;
  return freeFrom !== null && !isLess(value, fraction(freeFrom)) ? fraction("0") : fraction(tier.price);
}

/** In parts of the smallest unit, by weight, the rest to the largest remainders. */
function share(amount: Fraction, weights: Fraction[], decimals: number): Fraction[] {
  const all = addUp(weights);
  const units = Number(rounded(amount, decimals).top);
  if (all.top === 0n) return weights.map((_, at) => (at === 0 ? rounded(amount, decimals) : fraction("0")));
  const exact = weights.map((weight) => over(times(fraction(String(units)), weight), all));
  const whole = exact.map(({ top, bottom }) => top / bottom);
  const rests = exact.map((each, at) => ({ at, rest: minus(each, { top: whole[at] ?? 0n, bottom: 1n }) }));
  const left = units - whole.reduce((sum, each) => sum + Number(each), 0);
  const winners = rests
    .sort((one, other) => (isLess(other.rest, one.rest) ? -1 : isLess(one.rest, other.rest) ? 1 : one.at - other.at))
    .slice(0, left)
    .map(({ at }) => at);
  return whole.map((each, at) => ({ top: each + (winners.includes(at) ? 1n : 0n), bottom: 10n ** BigInt(decimals) }));
}

/** The basket's amounts as a quote has them; undefined if it can't be had. */
export function priceByRules({
  includesTax,
  currency,
  home,
  place: delivered,
  number,
  lines,
  methods,
  chosen,
}: Basket) {
  const offers = methods.flatMap((method) => {
    const price = askedBy(method, lines);
    return price === undefined ? [] : [{ code: method.code, price }];
  });
  const round = (amount: Fraction) => rounded(amount, currency.smallest);
  const write = (amount: Fraction) => written(amount, currency.decimals);
  const quantityOf = ({ quantity }: { quantity: number }) => fraction(String(quantity));
  const classes = [...new Set(lines.map(({ taxClass }) => taxClass))].sort((a, b) => ((a ?? "") < (b ?? "") ? -1 : 1));
  const homeRate = (taxClass: string | null) =>
    fraction((taxClass === null ? home.rates : classesOf(home.rates)[taxClass])?.[home.home] ?? "");
  const pricing = (place: Place, buyersNumber: VatNumber) => {
    const chargeOf = (taxClass: string | null) => chargeAt(home, place, buyersNumber, taxClass);
    const rateOf = (taxClass: string | null) => fraction(chargeOf(taxClass).rate);
    const convert = (price: Fraction, taxClass: string | null) =>
      round(includesTax ? times(over(price, add(one, homeRate(taxClass))), add(one, rateOf(taxClass))) : price);
    const taxed = (amount: Fraction, taxClass: string | null) => {
      const net = includesTax ? round(over(amount, add(one, rateOf(taxClass)))) : amount;
      const total = includesTax ? amount : add(net, round(times(net, rateOf(taxClass))));
      return { net, tax: minus(total, net), total, title: chargeOf(taxClass).title };
    };
    const send = (price: Fraction) => {
      const values = classes.map((taxClass) =>
        addUp(
          lines
            .filter((line) => line.taxClass === taxClass)
            .map((line) => times(fraction(line.price), quantityOf(line))),
        ),
      );
      const shares = classes.length === 1 ? [price] : share(round(price), values, currency.smallest);
      const converted = classes.map((taxClass, at) => convert(shares[at] ?? fraction("0"), taxClass));
      const parts = classes.map((taxClass, at) => taxed(converted[at] ?? fraction("0"), taxClass));
      return {
        parts,
        price: addUp(converted),
        net: addUp(parts.map(({ net }) => net)),
        tax: addUp(parts.map(({ tax }) => tax)),
        total: addUp(parts.map(({ total }) => total)),
      };
    };
    return { convert, taxed, send, treatment: chargeOf(null).treatment };
  };
  const there = pricing(delivered, number);
  const ways = offers.map(({ code, price }) => ({ code, ...there.send(price) }));
  const cheapest = ways.reduce<(typeof ways)[number] | undefined>(
    (best, way) => (best === undefined || isLess(way.total, best.total) ? way : best),
    undefined,
  );
  const atHome = pricing(collectedAt(home), null);
  const collected = { code: "pickup", ...atHome.send(fraction("0")) };
  const way = chosen === "pickup" ? collected : (ways.find(({ code }) => code === chosen) ?? cheapest);
  if (way === undefined) return undefined;
  const { convert, taxed, treatment } = way === collected ? atHome : there;
  const priced = lines.map((line) => {
    const unit = convert(fraction(line.price), line.taxClass);
    return { unit, ...taxed(times(unit, quantityOf(line)), line.taxClass) };
  });
  const all = [...priced, ...way.parts];
  const titles = [...new Set(all.map(({ title }) => title))];
  return {
    treatment,
    way: way.code,
    ways: [...ways, collected].map(({ code, total }) => [code, write(total)]),
    lines: priced.map(({ unit, net, tax, total }) => [unit, net, tax, total].map(write)),
    shipping: [way.price, way.total].map(write),
    taxes: titles.map((title) => {
      const same = all.filter((each) => each.title === title);
      return [title, write(addUp(same.map(({ tax }) => tax))), write(addUp(same.map(({ net }) => net)))];
    }),
    totals: {
      items_net: write(addUp(priced.map(({ net }) => net))),
      items_tax: write(addUp(priced.map(({ tax }) => tax))),
      shipping_net: write(way.net),
      shipping_tax: write(way.tax),
      discount: write(fraction("0")),
      tax: write(addUp(all.map(({ tax }) => tax))),
      total: write(addUp(all.map(({ total }) => total))),
    },
  };
}

/** The shop that a basket is bought in. Its other zone has the same methods at another price. */
export function shopOf({ includesTax, currency, home, place, methods }: Basket): ShopFacts {
  const everywhere = new Set([...PLACES.map(({ state, outside }) => outside ?? state), home.home]);
  const here = place.outside ?? (place.state === "XI" ? "GB" : place.state);
  const at = collectedAt(home);
  const elsewhere = methods.map((method) => {
    return { ...method, freeFrom: null, tiers: [{ upTo: null, price: written(fraction("77"), currency.decimals) }] };
  });
  const toZone = (countries: string[], some: Method[]) => ({
    countries,
    methods: some.map(({ code, by, tiers, freeFrom }) => ({
      ...{ code, name: code, by, free_from: freeFrom, transit_days: { min: 1, max: 2 } },
      tiers: tiers.map(({ upTo, price }) => ({ up_to: upTo, price })),
    })),
  });
  return shopFacts({
    ...{ currency: currency.currency, prices_include_tax: includesTax },
    tax: {
      ...{ ...shopFacts().tax, home: home.home, rates: home.rates, export: home.export },
      classes: classesOf(home.rates),
    },
    shipping: {
      handling_days: { min: 0, max: 1 },
      zones: [
        toZone(
          [...everywhere].filter((code) => code !== "XI" && code !== here),
          elsewhere,
        ),
        toZone([here], methods),
      ],
      pickup: {
        ...{ name: "Here", street: "Kade 1", city: "Town", hours: null },
        ...{ postal_code: at.postal_code ?? "", country_code: at.country },
      },
    },
  });
}

/** What a basket's lines are of, in their order. */
export const variantsOf = ({ lines }: Basket): Variant[] =>
  lines.map(({ price, taxClass, grams }, at) => {
    const sku = `SKU-${String(at).padStart(2, "0")}`;
    return variantAt(price, { sku, title: `Version ${at}`, tax_class: taxClass, weight_g: grams });
  });

/** Every place, home and currency together. */
const COMBINATIONS = CURRENCIES.length * HOMES.length * PLACES.length;

/**
 * A basket at the limits of its shop's methods. So many as there are combinations have each; some in a row have places and
 * homes of all kinds, and every fourth is in the same currency. `isSingle`: one piece of one thing.
 */
export function inventBasket({ between, chance, pick }: Random, nth: number, isSingle = false): Basket {
  // No factor of COMBINATIONS, and one more than a multiple of the currencies.
  const at = (nth * 37) % COMBINATIONS;
  const currency = CURRENCIES[at % CURRENCIES.length] as Basket["currency"];
  const inUnits = (units: number) =>
    written({ top: BigInt(units), bottom: 10n ** BigInt(currency.smallest) }, currency.decimals);
  const amount = (most: number) => inUnits(between(0, 10 ** between(1, most)));
  const home = HOMES[at % HOMES.length] as Home;
  // A shop may be registered where it needn't be, or have another rate than ours.
  const own = { "ES-CN": "0.07", "PT-20": "0.09", JE: "0.05" };
  const place = PLACES[Math.floor(at / CURRENCIES.length / HOMES.length)] as Place;
  const knows = chance(0.2);
  const hasClasses = chance(0.5);
  const lines = Array.from({ length: isSingle ? 1 : chance(0.02) ? 50 : between(1, 6) }, () => ({
    price: amount(9),
    quantity: isSingle ? 1 : pick([1, 2, 3, between(4, 999)]),
    taxClass: hasClasses ? pick([null, "reduced", "zero"]) : null,
    grams: chance(0.95) ? between(1, 3_000) : null,
  }));
  // Limits at, just below and just above what the basket has.
  const near = (exact: number) => String(Math.max(1, exact + pick([-1, 0, 1])));
  const grams = lines.reduce((sum, line) => sum + (line.grams ?? 0) * line.quantity, 0);
  const pieces = lines.reduce((sum, line) => sum + line.quantity, 0);
  const value = addUp(lines.map(({ price, quantity }) => times(fraction(price), fraction(String(quantity)))));
  const units = Number(rounded(value, currency.smallest).top);
  const nearValue = () => inUnits(Math.max(1, units + pick([-1, 0, 1])));
  const limits = { weight: () => near(grams), pieces: () => near(pieces), value: nearValue };
  const methods = Array.from({ length: between(1, 3) }, (_, at): Method => {
    const by = pick(["weight", "value", "pieces"] as const);
    const last = { upTo: null, price: amount(5) };
    const tier = { upTo: limits[by](), price: amount(5) };
    return {
      ...{ code: `method-${at}`, by, freeFrom: chance(0.4) ? nearValue() : null },
      tiers: chance(0.3) ? [last] : chance(0.4) ? [tier] : [tier, last],
    };
  });
  return {
    ...{ includesTax: chance(0.5), currency, place, lines, methods },
    home: knows ? { ...home, rates: { ...home.rates, ...own } } : home,
    number: pick(VAT_NUMBERS),
    chosen: pick([null, null, "method-0", "method-2", "pickup"]),
  };
}
