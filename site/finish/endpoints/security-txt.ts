import { writeSecurityTxt } from "../../src/resources/security-txt.ts";
import { shop } from "../../src/settings/shop.ts";

export const GET = () => {
  const text = writeSecurityTxt(shop, new Date());
  // Without a body Astro writes no file.
  return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
};
