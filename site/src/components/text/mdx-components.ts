import Endpoints from "../developers/Endpoints.astro";
import Fields from "../developers/Fields.astro";
import Callout from "./Callout.astro";
import ProductBySku from "./ProductBySku.astro";
import ReturnPolicy from "./ReturnPolicy.astro";
import ShippingTable from "./ShippingTable.astro";

/** What an .mdx file may use without importing it. content-check/ knows the same names and their attributes. */
export const mdxComponents = { Callout, ProductCard: ProductBySku, Endpoints, Fields, ReturnPolicy, ShippingTable };
