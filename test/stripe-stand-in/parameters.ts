import { type PageRequest, StripeRefusal } from "./account.ts";

/** Form parameters as Stripe's clients write them: `metadata[attempt]=x` is {metadata: {attempt: "x"}}. */
export interface Parameters {
  [name: string]: string | Parameters;
}

export function parseParameters(encoded: string): Parameters {
  const parameters: Parameters = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, index) => index === 0 || part !== "");
    const last = path.pop() ?? "";
    let at = parameters;
    for (const part of path) {
      const next = at[part] ?? {};
      if (typeof next === "string") throw invalid(name, "is given twice");
      at[part] = next;
      at = next;
    }
    // Elements of a list may come without an index: `expand[]=a`.
    at[name.endsWith("[]") ? `${last}${Object.keys(at).length}` : last] = value;
  }
  return parameters;
}

const invalid = (name: string, why: string, code = "parameter_invalid") =>
  new StripeRefusal(400, code, `Invalid ${name}: ${why}`);

export function text(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value !== "string" || value === "") throw invalid(name, "missing", "parameter_missing");
  return value;
}

function group(parameters: Parameters, name: string): Parameters {
  const value = parameters[name];
  if (typeof value !== "object") throw invalid(name, "missing", "parameter_missing");
  return value;
}

/** A whole number of minor units. */
export function readAmount(parameters: Parameters, name: string): number {
  const value = text(parameters, name);
  if (!/^[0-9]{1,15}$/.test(value)) throw invalid(name, "not an integer", "parameter_invalid_integer");
  return Number(value);
}

const KNOWN = new Set([
  ...["mode", "line_items", "client_reference_id", "customer_email", "metadata", "payment_intent_data"],
  ...["success_url", "cancel_url", "expires_at", "adaptive_pricing"],
]);
const THREE_DIGITS = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);
/** Two digits for Stripe, which must be 00. */
const WHOLE_ONLY = new Set(["isk", "ugx"]);
const LARGEST = 99_999_999;
const HALF_HOUR = 1_800;
const DAY = 86_400;

/** Reads the parameters of a new page. Throws StripeRefusal where Stripe's documents say that it refuses. */
export function readPageRequest(parameters: Parameters): PageRequest {
  for (const name of Object.keys(parameters))
    if (!KNOWN.has(name)) throw new StripeRefusal(400, "parameter_unknown", `Received unknown parameter: ${name}`);
  if (text(parameters, "mode") !== "payment") throw invalid("mode", "only payment");
  const items = group(parameters, "line_items");
  const item = group(items, "0");
  if (Object.keys(items).length > 1) throw invalid("line_items", "the stand-in takes one");
  if (text(item, "quantity") !== "1") throw invalid("line_items[0][quantity]", "the stand-in takes 1");
  const price = group(item, "price_data");
  const currency = text(price, "currency");
  const amount = readAmount(price, "unit_amount");
  if (!/^[a-z]{3}$/.test(currency)) throw invalid("currency", "three small letters");
  if (amount === 0) throw invalid("amount", "too small", "amount_too_small");
  if (amount > LARGEST) throw invalid("amount", "too large", "amount_too_large");
  if (WHOLE_ONLY.has(currency) && amount % 100 !== 0) throw invalid("amount", "not a multiple of 100");
  if (THREE_DIGITS.has(currency) && amount % 10 !== 0) throw invalid("amount", "the last digit isn't 0");
  const expiresAt = readAmount(parameters, "expires_at");
  const ahead = expiresAt - Date.now() / 1_000;
  if (ahead < HALF_HOUR || ahead > DAY) throw invalid("expires_at", "not between 30 minutes and 24 hours from now");
  const email = parameters["customer_email"] === undefined ? null : text(parameters, "customer_email");
  if (email !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw invalid("customer_email", email, "email_invalid");
  return {
    amount,
    currency,
    name: text(group(price, "product_data"), "name"),
    expiresAt,
    successUrl: readAddress(parameters, "success_url"),
    cancelUrl: readAddress(parameters, "cancel_url"),
    email,
    reference: parameters["client_reference_id"] === undefined ? null : text(parameters, "client_reference_id"),
    metadata: readMetadata(parameters),
  };
}

function readAddress(parameters: Parameters, name: string): string {
  const value = text(parameters, name);
  if (!URL.canParse(value) || !/^https?:/.test(value)) throw invalid(name, "not a valid URL", "url_invalid");
  return value;
}

export function readMetadata(parameters: Parameters): Record<string, string> {
  const given = parameters["metadata"] === undefined ? {} : group(parameters, "metadata");
  return Object.fromEntries(
    Object.keys(given).map((name) => {
      const value = text(given, name);
      if (name.length > 40 || value.length > 500) throw invalid(`metadata[${name}]`, "too long");
      return [name, value];
    }),
  );
}
