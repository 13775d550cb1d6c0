import type { ShopFacts } from "../../contract/built-files/store.ts";
import { displayRate, formatMoney, parseRate } from "../../contract/money.ts";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import type { Tax } from "../orders/totals-and-tax.ts";
import { countryOfVatNumber, EU_VAT_AREA } from "./vat-number.ts";

/** Where the goods go, and what is known of the buyer's VAT number. */
export interface Destination {
  /** ISO 3166; GB for Northern Ireland. */
  country: string;
  postal_code: string | null;
  vat_check: StoredVatCheck | null;
}

export type TaxTreatment = "domestic" | "destination" | "reverse_charge" | "export";

/** Why an order has no tax, as its tax line says it in the shop's language; in English where that isn't here. */
const EXEMPTIONS = {
  en: {
    reverse_charge: "VAT-exempt intra-Community supply, Art. 138 Directive 2006/112/EC",
    export: "Export outside the EU, VAT-exempt",
  },
  de: {
    reverse_charge: "Steuerfreie innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG",
    export: "Steuerfreie Ausfuhrlieferung",
  },
};

/**
 * The tax on goods sent to `to`: the rate of the country of delivery; none on exports, nor on goods for another member
 * state than home whose buyer has a confirmed VAT number of another country than home. Throws RangeError for a country
 * without a rate.
 */
export function taxAt({ locale, tax: { name, home, rates, export: exports } }: ShopFacts, to: Destination) {
  const place = taxPlace(home, to);
  const taxOf = (rate: string) => ({
    ...{ code: `${place}-${percentOf(rate)}`, rate },
    title: `${displayRate(rate, locale)} ${name}`,
  });
  const exemptions = EXEMPTIONS[locale.startsWith("de") ? "de" : "en"];
  if (place === home) return { treatment: "domestic" as const, tax: taxOf(rateOf(rates, place)) };
  if (exports.includes(place)) return { treatment: "export" as const, tax: exempt(place, exemptions.export) };
  const rate = rateOf(rates, place);
  if (isReverseCharge(home, place, to.vat_check))
    return { treatment: "reverse_charge" as const, tax: exempt(place, exemptions.reverse_charge) };
  return { treatment: "destination" as const, tax: taxOf(rate) };
}

/** The rate that the shop's prices include, or that it adds to them at home. */
export const homeRate = ({ home, rates }: ShopFacts["tax"]) => rateOf(rates, home);

/** Northern Ireland is in the EU for goods, but in the United Kingdom for a shop that is there. */
function taxPlace(home: string, { country, postal_code }: Destination): string {
  const isNorthernIreland = country === "GB" && /^\s*BT/i.test(postal_code ?? "");
  return isNorthernIreland && home !== "GB" ? "XI" : country;
}

function isReverseCharge(home: string, place: string, check: StoredVatCheck | null): boolean {
  if (check?.result !== "valid" || !EU_VAT_AREA.has(home) || !EU_VAT_AREA.has(place)) return false;
  return countryOfVatNumber(check.vat_id) !== home;
}

function rateOf(rates: ShopFacts["tax"]["rates"], place: string): string {
  const rate = rates[place];
  if (rate === undefined) throw new RangeError(`There is no tax rate for ${place}.`);
  return rate;
}

/** Millionths, shown as ten-thousandths, are percent. */
const percentOf = (rate: string) => formatMoney(parseRate(rate), 0);

const exempt = (place: string, title: string): Tax => ({ code: `${place}-0`, title, rate: "0" });
