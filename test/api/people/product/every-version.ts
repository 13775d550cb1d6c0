import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FeedProduct } from "../../../../api/contract/built-files/products.ts";
import { makeCustomer } from "../../platform/private-pages/pages.ts";

/** The values of a version's options as a product's form sends them. */
const chosenOf = (values: readonly string[]) =>
  Object.fromEntries(values.map((value, place): [string, string] => [`o${place + 1}`, value]));

const addressOf = ({ url, sku }: FeedProduct["variants"][number]) => {
  const { pathname, search } = new URL(url ?? "");
  if (search !== "" && new URLSearchParams(search).get("sku") !== sku) throw new Error(`${url} isn't of ${sku}.`);
  return pathname + search;
};

/**
 * Chooses every version in a build's products.json by its options, at an API that has imported it, and returns how many
 * there were and what was wrong: a form adds exactly that SKU, or says that it can't be had; a query leads to its address,
 * which is the page with the same pills checked; a combination that isn't made is refused.
 */
export async function chooseEveryVersion(app: Parameters<typeof makeCustomer>[0], dist: string) {
  const { products }: { products: FeedProduct[] } = JSON.parse(readFileSync(join(dist, "products.json"), "utf8"));
  const mistakes: string[] = [];
  let count = 0;
  const expectEqual = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      mistakes.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  };
  for (const { slug, variants } of products.filter(({ variants }) => variants.length > 1)) {
    const page = readFileSync(join(dist, "products", `${slug}.html`), "utf8");
    const add = async (values: readonly string[]) => {
      const visitor = makeCustomer(app);
      const form = { product: slug, ...chosenOf(values), quantity: "2" };
      const { statusCode } = await visitor.post("/cart/lines", form);
      const { payload } = await visitor.get("/cart");
      return [statusCode, ...Array.from(payload.matchAll(/<code>(.*?)<\/code>/g), ([, sku]) => sku)];
    };
    for (const variant of variants) {
      count += 1;
      const values = Object.values(variant.options);
      const canBeHad = variant.availability !== "out_of_stock";
      expectEqual(`POST ${variant.sku}`, await add(values), canBeHad ? [303, variant.sku] : [422]);
      const visitor = makeCustomer(app);
      const led = await visitor.get(`/products/${slug}?${new URLSearchParams(chosenOf(values))}`);
      expectEqual(`GET ${variant.sku}`, [led.statusCode, led.headers.location], [303, addressOf(variant)]);
      const shown = (await visitor.get(addressOf(variant))).payload;
      const pills = [...shown.matchAll(/<input type="radio" name="o(\d)"[^>]* value="([^"]*)"[^>]*? checked>/g)];
      const checked = pills.map(([, option, value]) => [Number(option), value]);
      if (page.includes('name="o1"'))
        expectEqual(
          `pills of ${variant.sku}`,
          checked,
          values.map((value, place) => [place + 1, escapeValue(value)]),
        );
      expectEqual(`page of ${variant.sku}`, withoutChecked(shown) === withoutChecked(page), true);
    }
    const made = variants.map(({ options }) => JSON.stringify(Object.values(options)));
    for (const values of combinationsOf(variants))
      if (!made.includes(JSON.stringify(values))) expectEqual(`POST ${slug} ${values}`, await add(values), [422]);
  }
  return { count, mistakes };
}

const withoutChecked = (html: string) => html.replaceAll(" checked>", ">");

/** As Astro writes it into an attribute. */
const escapeValue = (value: string) => value.replaceAll("&", "&#38;").replaceAll('"', "&#34;");

function combinationsOf(variants: FeedProduct["variants"]): string[][] {
  const names = Object.keys(variants[0]?.options ?? {});
  return names.reduce<string[][]>(
    (combinations, name) => {
      const values = [...new Set(variants.flatMap(({ options }) => options[name] ?? []))];
      return combinations.flatMap((combination) => values.map((value) => [...combination, value]));
    },
    [[]],
  );
}
