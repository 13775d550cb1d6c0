import type { JsonLdNode } from "./json-ld.ts";

/**
 * What Google asks for beside the rules of @adobe/structured-data-validator 1.7.1, which has none for an FAQ and for an
 * organisation only the name, and which reads offers for product snippets.
 * Sources: developers.google.com/search/docs/appearance/structured-data/{merchant-listing,faqpage,organization}
 */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Offer: ["price", "priceCurrency"],
  FAQPage: ["mainEntity"],
  Question: ["name", "acceptedAnswer"],
  Answer: ["text"],
};

const RECOMMENDED: Readonly<Record<string, readonly string[]>> = {
  Offer: ["availability", "itemCondition", "shippingDetails", "hasMerchantReturnPolicy", "url"],
};

/** Recommended where it is the page's subject, and not only the seller or maker of it. */
const RECOMMENDED_OF_ROOT: Readonly<Record<string, readonly string[]>> = {
  Organization: ["url", "logo", "description", "email", "telephone", "address", "contactPoint"],
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** What a node of a page's JSON-LD breaks of Google's rules, and what it does without, as `Type.property`. */
export function checkMerchantRules(
  type: string,
  node: JsonLdNode,
  isRoot: boolean,
): { problems: string[]; missing: string[] } {
  const lacks = (property: string) => node[property] === undefined || node[property] === "";
  const problems = (REQUIRED[type] ?? []).filter(lacks).map((property) => `${type} has no ${property}`);
  if (type === "Offer") problems.push(...checkOffer(node));
  const recommended = [...(RECOMMENDED[type] ?? []), ...((isRoot && RECOMMENDED_OF_ROOT[type]) || [])];
  return { problems, missing: recommended.filter(lacks).map((property) => `${type}.${property}`) };
}

function checkOffer({ price, priceCurrency }: JsonLdNode): string[] {
  const problems: string[] = [];
  if (price !== undefined && !/^\d+(?:\.\d+)?$/.test(String(price)))
    problems.push(`Offer's price is no number: ${price}`);
  else if (price !== undefined && Number(price) <= 0) problems.push("Offer's price is not above 0");
  if (priceCurrency !== undefined && !CURRENCIES.has(String(priceCurrency)))
    problems.push(`Offer's currency is none of ISO 4217: ${priceCurrency}`);
  return problems;
}
