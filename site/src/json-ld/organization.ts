import { absoluteUrl, homePath } from "../../urls/paths.ts";
import { icon } from "../settings/logo.ts";
import { store } from "../settings/shop.ts";
import { returnPolicy } from "./return-policy.ts";

/** The shop itself, with the return policy that holds for all it sells. */
export function organizationJsonLd(): object {
  const { company, social } = store;
  const elsewhere = Object.values(social);
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: store.name,
    legalName: company.legal_name,
    description: store.description,
    url: absoluteUrl(homePath, store.base_url),
    logo: absoluteUrl(icon.src, store.base_url),
    email: store.sales_email,
    telephone: store.phone,
    address: {
      "@type": "PostalAddress",
      streetAddress: company.street,
      addressLocality: company.city,
      postalCode: company.postal_code,
      addressCountry: company.country_code,
    },
    ...(elsewhere.length > 0 && { sameAs: elsewhere }),
    hasMerchantReturnPolicy: returnPolicy(),
  };
}
