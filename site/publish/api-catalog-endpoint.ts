import { readEndpoints } from "../src/openapi.ts";
import { writeApiCatalog } from "../src/resources/api-catalog.ts";
import { store } from "../src/store.ts";

export const GET = () => new Response(writeApiCatalog(readEndpoints(), store.base_url));
