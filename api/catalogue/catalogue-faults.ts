import { describeUnstorable } from "../database/column-limits.ts";
import { currencyDigits, parseMoney } from "../orders/money.ts";
import type { FeedProduct } from "./catalogue-file.ts";

/** Characters of an SKU, as in an order's lines. */
const SKU_CHARACTERS = 191;

/**
 * What is wrong with values that have the right shape, one sentence each, with place and product: texts that cannot be
 * stored, check digits (GS1 General Specifications §7.9.1), prices that their currency does not have.
 */
export function findFaults(products: readonly FeedProduct[]): string[] {
  return products.flatMap((product, index) => {
    const place = `/products/${index}`;
    const faults = [...textFaults(product, place), ...product.variants.flatMap(variantFaults(place))];
    return faults.map(({ place, fault }) => `${place} (${product.slug}) ${fault}`);
  });
}

interface Fault {
  place: string;
  fault: string;
}

/** Of every text below `value`, the names of options among them. */
function textFaults(value: unknown, place: string): Fault[] {
  if (typeof value === "string") {
    const fault = describeUnstorable(value, place.endsWith("/sku") ? SKU_CHARACTERS : undefined);
    return fault === undefined ? [] : [{ place, fault: `${fault}.` }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const fault = describeUnstorable(name);
    if (fault !== undefined) return [{ place, fault: `has a field whose name ${fault}.` }];
    return textFaults(part, `${place}/${name}`);
  });
}

const variantFaults =
  (product: string) =>
  ({ gtin, price, currency }: FeedProduct["variants"][number], index: number): Fault[] => {
    const place = `${product}/variants/${index}`;
    const digit = gtin === null ? undefined : checkDigit(gtin);
    const faults: Fault[] = [];
    if (gtin !== null && !gtin.endsWith(`${digit}`))
      faults.push({ place: `${place}/gtin`, fault: `has a wrong check digit: the last digit should be ${digit}.` });
    if (!isPriceIn(currency, price))
      faults.push({
        place: `${place}/price`,
        fault: `has more digits than ${currency} has, which are ${currencyDigits(currency)}.`,
      });
    return faults;
  };

/** Of a GTIN-13: the digits before the last one count 1 and 3 in turn. */
function checkDigit(gtin: string): number {
  const weighted = [...gtin.slice(0, 12)].map((digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3));
  return (10 - (weighted.reduce((total, value) => total + value, 0) % 10)) % 10;
}

function isPriceIn(currency: string, price: string): boolean {
  try {
    parseMoney(price, currencyDigits(currency));
    return true;
  } catch {
    return false;
  }
}
