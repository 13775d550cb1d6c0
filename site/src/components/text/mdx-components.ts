import Endpoints from "../developers/Endpoints.astro";
import Fields from "../developers/Fields.astro";
import Callout from "./Callout.astro";
import ProductBySku from "./ProductBySku.astro";
import ReturnPolicy from "./ReturnPolicy.astro";
import ShippingTable from "./ShippingTable.astro";

/** Components that .mdx files may use without importing them. content-check/ has their names and attributes. */
export const mdxComponents = { Callout, ProductCard: ProductBySku, Endpoints, Fields, ReturnPolicy, ShippingTable };
