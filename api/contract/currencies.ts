import { CURRENCY } from "./patterns.ts";

/**
 * Currencies that differ from most, which have two digits after the point and can be paid to the last of them: the digits
 * of ISO 4217 (list one, 2026), and how many of them can be paid. Fewer are where the smaller coins are gone and accounts
 * hold whole units: nobody can pay the fraction. CLDR 48, so Node's Intl, shows none there, and a test compares both.
 */
const CURRENCIES: Readonly<Record<string, readonly [digits: number, payable: number]>> = {
  AFN: [2, 0], // ISO 4217; CLDR
  ALL: [2, 0], // ISO 4217; CLDR
  BHD: [3, 3], // ISO 4217; CLDR
  BIF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  CLF: [4, 4], // ISO 4217; CLDR
  CLP: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  COP: [2, 0], // ISO 4217; CLDR
  DJF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  GNF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  HUF: [2, 0], // ISO 4217; CLDR; Stripe charges two decimals and pays out whole forints
  IDR: [2, 0], // ISO 4217; CLDR
  IQD: [3, 0], // ISO 4217; CLDR
  IRR: [2, 0], // ISO 4217; CLDR
  ISK: [0, 0], // ISO 4217; CLDR; Stripe: two decimals, always 00
  JOD: [3, 3], // ISO 4217; CLDR
  JPY: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  KMF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  KPW: [2, 0], // ISO 4217; CLDR
  KRW: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  KWD: [3, 3], // ISO 4217; CLDR
  LAK: [2, 0], // ISO 4217; CLDR
  LBP: [2, 0], // ISO 4217; CLDR
  LYD: [3, 3], // ISO 4217; CLDR
  MGA: [2, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  MMK: [2, 0], // ISO 4217; CLDR
  OMR: [3, 3], // ISO 4217; CLDR
  PKR: [2, 0], // ISO 4217; CLDR
  PYG: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  RWF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  SLL: [2, 0], // ISO 4217's historic list; CLDR
  SOS: [2, 0], // ISO 4217; CLDR
  SYP: [2, 0], // ISO 4217; CLDR
  TND: [3, 3], // ISO 4217; CLDR
  UGX: [0, 0], // ISO 4217; CLDR
  UYI: [0, 0], // ISO 4217; CLDR
  UYW: [4, 4], // ISO 4217; CLDR
  VND: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  VUV: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  XAF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  XOF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  XPF: [0, 0], // ISO 4217; CLDR; Stripe: zero-decimal
  YER: [2, 0], // ISO 4217; CLDR
};

/**
 * A currency's digits after the decimal point by ISO 4217, with which amounts are stored, and told to programs and payment
 * providers. Throws RangeError for an invalid currency code.
 */
export const currencyDigits = (currency: string): number => find(currency)[0];

/**
 * How many of these digits can be paid: prices, delivery, taxes and totals are rounded to them, so that an order comes to
 * what people can pay. 0 for HUF, where 12990.00 is an amount to pay and 12990.50 isn't. Throws RangeError as above.
 */
export const payableDigits = (currency: string): number => find(currency)[1];

const MOST = [2, 2] as const;
const code = new RegExp(CURRENCY);

function find(currency: string): readonly [number, number] {
  if (!code.test(currency)) throw new RangeError("A currency is three capital letters (ISO 4217).");
  return CURRENCIES[currency] ?? MOST;
}
