import { readEndpoints } from "../../src/developers/endpoints.ts";
import { writeApiCatalog } from "../../src/resources/api-catalog.ts";
import { store } from "../../src/settings/shop.ts";

export const GET = () => new Response(writeApiCatalog(readEndpoints(), store.base_url));
