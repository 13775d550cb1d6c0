import { readEndpoints } from "../../openapi.ts";
import { writeApiCatalog } from "../../resources/api-catalog.ts";
import { store } from "../../store.ts";

export const GET = () => new Response(writeApiCatalog(readEndpoints(), store.base_url));
