import { StartError } from "./start-error.ts";

/**
 * Asks the running shop for what its people ask: a page in both faces, and orders with the token.
 * Returns the path of a product page as an example. Throws StartError naming what did not answer as it should.
 */
export async function probeShop(url: string, tokens: string): Promise<{ said: string; value: string }> {
  const product = await anyProduct(url);
  await expectType(`${url}${product}`, { accept: "text/html" }, "text/html");
  await expectType(`${url}${product}`, { accept: "text/markdown" }, "text/markdown");
  const [token = ""] = tokens.split(",");
  await expectType(`${url}/api/orders?limit=1`, { authorization: `Bearer ${token}` }, "application/json");
  return { said: "HTML, Markdown and orders answer", value: product };
}

async function anyProduct(url: string): Promise<string> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  return /<loc>[^<]*?(\/products\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "/";
}

async function expectType(url: string, headers: Record<string, string>, type: string): Promise<void> {
  const answer = await fetch(url, { headers });
  const found = answer.headers.get("content-type") ?? "no type";
  await answer.arrayBuffer();
  if (answer.status === 200 && found.startsWith(type)) return;
  throw new StartError(`${url} should have answered 200 and ${type}, and answered ${answer.status} and ${found}.`);
}
