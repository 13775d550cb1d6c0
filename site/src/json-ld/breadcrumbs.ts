import { absoluteUrl, type Crumb } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";

/** The path from the home page to a page as a BreadcrumbList. */
export function breadcrumbsJsonLd(trail: readonly Crumb[]): object {
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: trail.map(({ title, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: title,
      item: absoluteUrl(path, shop.base_url),
    })),
  };
}
