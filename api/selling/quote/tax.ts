import type { ShopFacts } from "../../contract/built-files/store.ts";
import { displayRate, formatMoney, parseRate } from "../../contract/money.ts";
import {
  EU_VAT_AREA,
  namesPlace,
  placeCodes,
  placeOf,
  territoryOf,
  vatArea,
  vatAreaFrom,
} from "../../contract/territories.ts";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import type { Tax } from "../orders/totals-and-tax.ts";
import { countryOfVatNumber } from "./vat-number.ts";

/** Where the goods go, and what is known of the buyer's VAT number. */
export interface Destination {
  /** ISO 3166, GB for Northern Ireland; without a postal code it may be a territory's code. */
  country: string;
  postal_code: string | null;
  vat_check: StoredVatCheck | null;
}

export type TaxTreatment = "domestic" | "destination" | "reverse_charge" | "export";

/**
 * The tax on goods sent to `to`: the rate of the place of delivery; none on exports, nor on goods for another member state
 * than home whose buyer has a confirmed VAT number of another country than home. Territories outside a VAT area are
 * exports unless `rates` names them. Goods of a class have its rate instead, by the same places; what isn't taxed is that
 * for all. Throws RangeError for a place without a rate, and for a postcode that can't be read.
 */
export function taxAt(
  { locale, tax: { name, home, rates, export: exports, classes, reasons } }: ShopFacts,
  to: Destination,
  taxClass: string | null = null,
): { treatment: TaxTreatment; tax: Tax } {
  const place = placeOf(to.country, to.postal_code);
  if (place === undefined) throw new RangeError(`The postal code isn't one of ${to.country}.`);
  const [area, homeArea] = [vatAreaFrom(home, place), vatArea(home)];
  const territory = territoryOf(place);
  const own = rateAt(rates, place) ?? territory?.rate;
  const ofClass = taxClass === null ? undefined : classes[taxClass];
  const taxed = (treatment: TaxTreatment, usual: string, around: string) => {
    const here = ofClass ? rateAt(ofClass, place) : own;
    const rate = here ?? (ofClass && rateAt(ofClass, around)) ?? usual;
    const code = `${here === undefined ? area : place}-${percentOf(rate)}`;
    return { treatment, tax: { code, title: `${displayRate(rate, locale)} ${name}`, rate } };
  };
  if (area === homeArea) return taxed("domestic", own ?? rateOf(rates, home), home);
  if (isExport({ rates, export: exports }, place)) {
    const isPart = territory?.area === "outside" && isOneArea(territory.country, homeArea);
    const reason = reasons[isPart ? "territory" : "export"];
    return { treatment: "export", tax: exempt(place, reason[lawOf(homeArea)]) };
  }
  const rate = own ?? rateOf(rates, area);
  if (isReverseCharge(homeArea, area, to.vat_check))
    return { treatment: "reverse_charge", tax: exempt(area, reasons.reverse_charge) };
  return taxed("destination", rate, area);
}

/** The rate that the shop's prices of goods of a class, null for the usual one, include, or that it adds to them at home. */
export const homeRate = ({ home, rates, classes }: ShopFacts["tax"], taxClass: string | null): string =>
  rateAt((taxClass !== null && classes[taxClass]) || rates, home) ?? rateOf(rates, home);

/** Whether goods for a territory are taxed like those for its country: a page then needs no price of its own for it. */
export function isTaxedLike(shop: ShopFacts, place: string, country: string): boolean {
  return [null, ...Object.keys(shop.tax.classes)].every((taxClass) => {
    const [there, around] = [place, country].map((code) =>
      taxAt(shop, { country: code, postal_code: null, vat_check: null }, taxClass),
    );
    return there?.treatment === around?.treatment && there?.tax.rate === around?.tax.rate;
  });
}

/** Whose law says why goods that leave `home` have no VAT. */
function lawOf(home: string): keyof ShopFacts["tax"]["reasons"]["export"] {
  if (EU_VAT_AREA.has(home)) return "eu";
  return home === "GB" ? "gb" : home === "CH" ? "ch" : "elsewhere";
}

/** Member states of the EU are one: what isn't in the VAT area of either isn't in that of the other. */
const isOneArea = (country: string, home: string) =>
  country === home || (EU_VAT_AREA.has(country) && EU_VAT_AREA.has(home));

function isExport({ rates, export: exports }: Pick<ShopFacts["tax"], "rates" | "export">, place: string): boolean {
  if (namesPlace(exports, place)) return true;
  if (rateAt(rates, place) !== undefined) return false;
  return territoryOf(place)?.area === "outside" || namesPlace(exports, vatArea(place));
}

function isReverseCharge(home: string, area: string, check: StoredVatCheck | null): boolean {
  if (check?.result !== "valid" || !EU_VAT_AREA.has(home) || !EU_VAT_AREA.has(area)) return false;
  return countryOfVatNumber(check.vat_id) !== home;
}

/** Whether goods stay in the EU's VAT area: only there a confirmed VAT number can free from tax. */
export const staysInEu = (home: string, { country, postal_code }: Omit<Destination, "vat_check">): boolean =>
  [home, placeOf(country, postal_code) ?? country].every((place) => EU_VAT_AREA.has(vatArea(place)));

/** The rate that store.yaml has for a place, by any of its codes. */
const rateAt = (rates: ShopFacts["tax"]["rates"], place: string): string | undefined =>
  placeCodes(place)
    .map((code) => rates[code])
    .find((rate) => rate !== undefined);

function rateOf(rates: ShopFacts["tax"]["rates"], place: string): string {
  const rate = rateAt(rates, place);
  if (rate === undefined) throw new RangeError(`There is no tax rate for ${place}.`);
  return rate;
}

/** Millionths, shown as ten-thousandths, are percent. */
const percentOf = (rate: string) => formatMoney(parseRate(rate), 0);

const exempt = (place: string, title: string): Tax => ({ code: `${place}-0`, title, rate: "0" });
