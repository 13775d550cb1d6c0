import { addressCountry } from "../../../api/contract/territories.ts";
import { filled } from "../../content-schema/placeholder.ts";
import { returnCountries } from "../../content-schema/shop.ts";
import { absoluteUrl, homePath, pagePath } from "../../urls/paths.ts";
import { iconPath } from "../settings/logo.ts";
import { shop } from "../settings/shop.ts";
import { shippingService } from "./shipping-service.ts";

/** The shop as an Organization, with its terms of delivery and returns, which are those of all its offers. */
export async function organizationJsonLd(): Promise<object> {
  const { company, social } = shop;
  const profiles = Object.values(social);
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: shop.name,
    legalName: company.legal_name,
    description: shop.description,
    url: absoluteUrl(homePath, shop.base_url),
    logo: absoluteUrl(await iconPath(), shop.base_url),
    email: shop.sales_email,
    telephone: shop.phone,
    address: {
      "@type": "PostalAddress",
      streetAddress: filled(company.street) || undefined,
      addressLocality: filled(company.city) || undefined,
      postalCode: filled(company.postal_code) || undefined,
      addressCountry: company.country_code,
    },
    ...(profiles.length > 0 && { sameAs: profiles }),
    hasShippingService: shippingService(),
    hasMerchantReturnPolicy: returnPolicy(),
  };
}

const fees = {
  customer: "https://schema.org/ReturnFeesCustomerResponsibility",
  shop: "https://schema.org/FreeReturn",
};

/** `returns` of store.yaml as a MerchantReturnPolicy; undefined if it isn't there. */
function returnPolicy() {
  const { returns } = shop;
  if (returns === undefined) return undefined;
  return {
    "@type": "MerchantReturnPolicy",
    applicableCountry: [...new Set(returnCountries(shop).map(addressCountry))],
    returnPolicyCountry: returns.sent_to,
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: returns.days,
    returnMethod: "https://schema.org/ReturnByMail",
    returnFees: fees[returns.paid_by],
    merchantReturnLink: absoluteUrl(pagePath("returns"), shop.base_url),
  };
}
