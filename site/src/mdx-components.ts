import Callout from "./components/Callout.astro";
import Endpoints from "./components/Endpoints.astro";
import Fields from "./components/Fields.astro";
import ProductBySku from "./components/ProductBySku.astro";
import ReturnPolicy from "./components/ReturnPolicy.astro";
import ShippingTable from "./components/ShippingTable.astro";

/** What an .mdx file may use without importing it. content-check/ knows the same names and their attributes. */
export const mdxComponents = { Callout, ProductCard: ProductBySku, Endpoints, Fields, ReturnPolicy, ShippingTable };
