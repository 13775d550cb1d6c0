import type { JsonLdNode } from "./json-ld.ts";

/**
 * Google's requirements that @adobe/structured-data-validator 1.7.1 doesn't check: it has no rules for an FAQ, only the
 * name for an organisation, and product snippets for offers.
 * Sources: developers.google.com/search/docs/appearance/structured-data/{merchant-listing,faqpage,organization}
 */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Offer: ["price", "priceCurrency"],
  FAQPage: ["mainEntity"],
  Question: ["name", "acceptedAnswer"],
  Answer: ["text"],
};

const RECOMMENDED: Readonly<Record<string, readonly string[]>> = {
  Offer: ["availability", "itemCondition", "url"],
};

/** Recommended for the page's subject, not for a nested seller or maker. */
const RECOMMENDED_OF_ROOT: Readonly<Record<string, readonly string[]>> = {
  Organization: [
    ...["url", "logo", "description", "email", "telephone", "address", "contactPoint"],
    // The terms of all offers, which needn't repeat them.
    ...["hasShippingService", "hasMerchantReturnPolicy"],
  ],
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** Returns a node's violations of Google's rules, and its missing recommendations as `Type.property`. */
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
    problems.push(`Offer's price isn't a number: ${price}`);
  else if (price !== undefined && Number(price) <= 0) problems.push("Offer's price is not above 0");
  if (priceCurrency !== undefined && !CURRENCIES.has(String(priceCurrency)))
    problems.push(`Offer's currency isn't in ISO 4217: ${priceCurrency}`);
  return problems;
}
