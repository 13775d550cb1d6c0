import { returnCountries } from "../../content-schema/shop.ts";
import { absoluteUrl, pagePath } from "../../urls/paths.ts";
import { store } from "../settings/shop.ts";

const fees = {
  customer: "https://schema.org/ReturnFeesCustomerResponsibility",
  shop: "https://schema.org/FreeReturn",
};

/** What store.yaml says of returns, as a MerchantReturnPolicy; undefined where it says nothing. */
export function returnPolicy() {
  const { returns } = store;
  if (returns === undefined) return undefined;
  return {
    "@type": "MerchantReturnPolicy",
    applicableCountry: returnCountries(store),
    returnPolicyCountry: returns.sent_to,
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: returns.days,
    returnMethod: "https://schema.org/ReturnByMail",
    returnFees: fees[returns.paid_by],
    merchantReturnLink: absoluteUrl(pagePath("returns"), store.base_url),
  };
}
