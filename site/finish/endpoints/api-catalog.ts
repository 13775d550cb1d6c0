import { readEndpoints } from "../../src/developers/endpoints.ts";
import { writeApiCatalog } from "../../src/resources/api-catalog.ts";
import { shop } from "../../src/settings/shop.ts";

export const GET = () => new Response(writeApiCatalog(readEndpoints(), shop.base_url));
