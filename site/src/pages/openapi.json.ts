import document from "../../../api/openapi.json?raw";
import { publishOpenapi } from "../resources/openapi.ts";
import { shop } from "../settings/shop.ts";

export const GET = () => new Response(publishOpenapi(document, shop));
