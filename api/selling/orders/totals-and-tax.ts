import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { parseMoney, parseRate } from "../../contract/money.ts";
import { allocate, applyRate, removeRate, roundMoney, sum } from "./money.ts";

/** A tax that applies to a line; `rate` is a decimal fraction such as "0.21". */
export interface Tax {
  code: string;
  title: string;
  rate: string;
}

export interface PricedLine {
  quantity: number;
  /** For one piece, with up to four digits after the point. */
  unit_price: string;
  taxes: readonly Tax[];
}

export interface PricedShipping {
  /** One where all goods are taxed alike; otherwise one for each of their taxes. */
  parts: readonly { price: string; taxes: readonly Tax[] }[];
}

interface Basket<Line, Shipping> {
  currency: string;
  /** Whether unit prices, shipping prices and discounts include tax. */
  prices_include_tax: boolean;
  lines: readonly Line[];
  shipping_lines: readonly Shipping[];
  discounts: readonly { amount: string }[];
}

export interface TaxAmount extends Tax {
  amount: bigint;
  /** The net amount that it is computed on. */
  taxable: bigint;
}

export interface Taxed {
  net: bigint;
  tax: bigint;
  total: bigint;
  tax_lines: TaxAmount[];
}

/**
 * Prices a basket exactly. Each line is unit price × quantity, rounded once to what can be paid in the currency, minus its
 * share of the discounts. Tax is taken out or added line by line, so that all totals are sums of the lines. `digits` are
 * those of the currency, to write amounts with. Throws RangeError for invalid amounts, for delivery and discounts that
 * can't be paid, and for discounts larger than the items.
 */
export function priceBasket<Line extends PricedLine, Shipping extends PricedShipping>(basket: Basket<Line, Shipping>) {
  const payable = payableDigits(basket.currency);
  const tax = (amount: bigint, taxes: readonly Tax[]) => taxAmount(amount, taxes, basket.prices_include_tax, payable);
  const gross = basket.lines.map((line) => grossOf(line, payable));
  const discount = sum(basket.discounts.map(({ amount }) => requireNotNegative(parseMoney(amount, payable))));
  if (discount > sum(gross)) throw new RangeError("The discounts are larger than the items.");
  const discounts = allocate(discount, gross, payable);
  const lines = basket.lines.map((line, index) => {
    const lineDiscount = discounts[index] ?? 0n;
    return { ...line, discount: lineDiscount, ...tax((gross[index] ?? 0n) - lineDiscount, line.taxes) };
  });
  const shipping = basket.shipping_lines.map((line) => ({
    ...line,
    ...addUp(line.parts.map(({ price, taxes }) => tax(requireNotNegative(parseMoney(price, payable)), taxes))),
  }));
  const totals = {
    items_net: sum(lines.map(({ net }) => net)),
    items_tax: sum(lines.map(({ tax }) => tax)),
    shipping_net: sum(shipping.map(({ net }) => net)),
    shipping_tax: sum(shipping.map(({ tax }) => tax)),
    discount,
    tax: sum([...lines, ...shipping].map(({ tax }) => tax)),
    total: sum([...lines, ...shipping].map(({ total }) => total)),
  };
  return {
    digits: currencyDigits(basket.currency),
    lines,
    shipping,
    totals,
    tax_lines: addUpTaxes([...lines, ...shipping].flatMap(({ tax_lines }) => tax_lines)),
  };
}

/** The maximum of INT UNSIGNED. */
const MAX_QUANTITY = 2 ** 32 - 1;

function grossOf({ quantity, unit_price }: PricedLine, digits: number): bigint {
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY)
    throw new RangeError(`The quantity isn't a whole number from 1 to ${MAX_QUANTITY}.`);
  return roundMoney(requireNotNegative(parseMoney(unit_price)) * BigInt(quantity), digits);
}

function requireNotNegative(amount: bigint): bigint {
  if (amount < 0n) throw new RangeError("A price or discount can't be negative.");
  return amount;
}

/** Several taxes on one amount all apply to the net amount, never to each other. */
function taxAmount(amount: bigint, taxes: readonly Tax[], included: boolean, digits: number): Taxed {
  const rates = taxes.map(({ rate }) => parseRate(rate));
  if (included) {
    const net = removeRate(amount, sum(rates), digits);
    const parts = allocate(amount - net, rates, digits);
    return {
      net,
      tax: amount - net,
      total: amount,
      tax_lines: taxes.map((tax, at) => ({ ...tax, amount: parts[at] ?? 0n, taxable: net })),
    };
  }
  const parts = rates.map((rate) => applyRate(amount, rate, digits));
  const tax = sum(parts);
  return {
    net: amount,
    tax,
    total: amount + tax,
    tax_lines: taxes.map((line, at) => ({ ...line, amount: parts[at] ?? 0n, taxable: amount })),
  };
}

const addUp = (parts: readonly Taxed[]): Taxed => ({
  net: sum(parts.map(({ net }) => net)),
  tax: sum(parts.map(({ tax }) => tax)),
  total: sum(parts.map(({ total }) => total)),
  tax_lines: addUpTaxes(parts.flatMap(({ tax_lines }) => tax_lines)),
});

/** One entry per code, title and rate, in order of first appearance. */
function addUpTaxes(taxes: readonly TaxAmount[]): TaxAmount[] {
  const totals = new Map<string, TaxAmount>();
  for (const { amount, taxable, ...tax } of taxes) {
    const key = JSON.stringify([tax.code, tax.title, tax.rate]);
    const before = totals.get(key) ?? { amount: 0n, taxable: 0n };
    totals.set(key, { ...tax, amount: before.amount + amount, taxable: before.taxable + taxable });
  }
  return [...totals.values()];
}
