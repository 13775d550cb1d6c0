import { readSiteIndex } from "../resources/site-index.ts";
import { allPages } from "../resources/site-pages.ts";
import { writeSitemap } from "../resources/sitemap.ts";
import { shop } from "../settings/shop.ts";

export const GET = async () => new Response(writeSitemap(allPages(await readSiteIndex()), shop.base_url)[0].text);
