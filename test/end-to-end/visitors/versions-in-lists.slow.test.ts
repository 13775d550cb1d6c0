import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { words } from "../../site/words/words.ts";
import { shops } from "../../workspace.ts";
import { withPage } from "./with-page.ts";

type Values = Record<string, string | string[]>;

interface Version {
  sku: string;
  price: string;
  availability: keyof typeof words.availability;
  available_from?: string;
  options?: Record<string, string>;
  specifications?: Values;
}

interface Product extends Version {
  title: string;
  specifications: Values;
  variants?: Version[];
}

/** A version with its name in lists and its values. */
interface Truth extends Version {
  name: string;
  has: (filter: string, value: string) => boolean;
}

/**
 * What a product's card shows: its offer, or of each version that matches what it says, by the version's name; and what its
 * button orders.
 */
interface Shown {
  title: string;
  offer: string | undefined;
  versions: Record<string, string>;
  ordered: string | undefined;
}

const readFrontMatter = (path: string) =>
  parseYaml(readFileSync(join(shops.demo, path), "utf8").split(/^---$/m)[1] ?? "");

/** The versions of a category's products as the editors wrote them, by title. */
function readTruth(category: string): Map<string, Truth[]> {
  const files = readdirSync(join(shops.demo, "products", category)).filter((file) => file.endsWith(".md"));
  return new Map(
    files.map((file) => {
      const product: Product = readFrontMatter(`products/${category}/${file}`);
      const versions = (product.variants ?? [product]).map((version) => ({
        ...version,
        name: Object.values(version.options ?? {}).join(" / "),
        has: (filter: string, value: string) => {
          if (filter === words.category.netPrice) return isInRange(netOf(version.price), value);
          if (filter === words.product.availability) return words.availability[version.availability] === value;
          const own = product.variants && version.specifications?.[filter];
          return [own ?? version.options?.[filter] ?? product.specifications[filter]].flat().includes(value);
        },
      }));
      return [product.title, versions];
    }),
  );
}

/** Reads `Under €50`, `€50 to €100` and `€1,000 and more`. */
function isInRange(price: number, range: string): boolean {
  const [first = NaN, second] = Array.from(range.matchAll(/[\d,]+/g), ([text]) => Number(text.replaceAll(",", "")));
  if (range.startsWith("Under")) return price < first;
  return price >= first && (second === undefined || price < second);
}

const money = (price: number | string) =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" }).format(Number(price));
/** Whole cents, since the shop's prices include 21 %: 121 of them have 21 of tax. */
const netOf = (price: string) => Math.round((Math.round(Number(price) * 100) * 100) / 121) / 100;
const note = ({ price }: Version) =>
  words.price.netAnd({ withTax: words.price.withTax({ price: money(price), tax: "VAT" }) });
const longDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const stockOf = ({ availability, available_from }: Version) =>
  available_from
    ? words.expected({
        availability: words.availability[availability],
        day: longDay.format(new Date(available_from)),
      })
    : words.availability[availability];

const soonest = ["in_stock", "preorder", "backorder", "out_of_stock"];

function bestOf(versions: readonly Version[]): Version {
  const tier = Math.min(...versions.map(({ availability }) => soonest.indexOf(availability)));
  const reachable = versions.filter(({ availability }) => soonest.indexOf(availability) === tier);
  const lowest = Math.min(...reachable.map(({ price }) => Number(price)));
  const best = reachable.find(({ price }) => Number(price) === lowest);
  if (best === undefined) throw new Error("no versions");
  return best;
}

/** Price, stock, and a cheaper version to wait for, as a card must show them. */
function describeOffer(versions: readonly Version[]): string[] {
  const best = bestOf(versions);
  const price = money(netOf(best.price));
  const isFrom = versions.some((other) => Number(other.price) > Number(best.price));
  const cheaper = versions
    .filter((other) => Number(other.price) < Number(best.price) && other.availability !== "out_of_stock")
    .sort((a, b) => Number(a.price) - Number(b.price))[0];
  return [
    `${isFrom ? words.price.from({ price }) : price} ${note(best)}`,
    describeStock(versions),
    ...(cheaper ? [describeCheaper(cheaper)] : []),
  ];
}

function describeStock(versions: readonly Version[]): string {
  const best = bestOf(versions);
  if (new Set(versions.map(stockOf)).size === 1) return stockOf(best);
  const some = versions.filter(({ availability }) => availability === best.availability).length;
  const availability = words.availability[best.availability];
  return some === versions.length ? availability : words.someVersions({ availability, some, count: versions.length });
}

const describeCheaper = (version: Version) =>
  words.price.cheaper({ price: `${money(netOf(version.price))} ${note(version)}`, availability: stockOf(version) });

/** All texts of a card that look like an offer's, for what must not be there. */
const pricesIn = (text: string) => text.match(/(?:from )?€[\d,.]+\d/g) ?? [];

interface Pair {
  pair: [filter: string, value: string][];
  cards: Shown[];
}

/** A script that returns what a category shows with each pair of its filter values ticked, sorted by price if it can sort. */
const showPairs = `(() => {
  const boxes = [...document.querySelectorAll("[data-facet]")];
  const isVisible = (element) => element.getClientRects().length > 0;
  const textOf = (element) => (element?.textContent ?? "").replace(/\\s+/g, " ").trim();
  const filterOf = (box) => textOf(box.closest("fieldset").querySelector("legend"));
  const versionsIn = (line) => textOf(line).split("; ").flatMap((part) => {
    const end = part.indexOf(": ");
    return part.slice(0, end).split(", ").map((name) => [name, part.slice(end + 2)]);
  });
  document.querySelector("[name=sort]").value = "price";
  const pairs = boxes.flatMap((box, index) => boxes.slice(index + 1).map((other) => [box, other]));
  return pairs.map((pair) => {
    for (const box of boxes) box.checked = pair.includes(box);
    pair[0].dispatchEvent(new Event("change", { bubbles: true }));
    const cards = [...document.querySelectorAll(".list > .card")]
      .map((card) => {
        const visible = (selector) => [...card.querySelectorAll(selector)].filter(isVisible);
        return {
          title: textOf(card.querySelector(".card-title a")),
          offer: visible(".card-offer, .availability").map(textOf).join(" ") || undefined,
          versions: Object.fromEntries(visible(".card-versions a").flatMap(versionsIn)),
          ordered: visible(".add button")[0]?.value,
        };
      })
      .filter(({ offer, versions }) => offer !== undefined || Object.keys(versions).length > 0);
    return { pair: pair.map((box) => [filterOf(box), box.value]), cards };
  });
})()`;

const categories = readdirSync(join(shops.demo, "categories")).map((file) => file.replace(".md", ""));

test.each(
  categories.flatMap((category) => [true, false].map((javaScriptEnabled) => ({ category, javaScriptEnabled }))),
)(
  "with any two filters, $category shows the price and stock of each version that matches (JavaScript: $javaScriptEnabled)",
  async ({ category, javaScriptEnabled }) => {
    const truth = readTruth(category);
    await withPage({ javaScriptEnabled }, async (page) => {
      await page.goto(`${inject("shopUrl")}/categories/${category}`);
      if (javaScriptEnabled) await page.waitForFunction("document.querySelector('[data-facet]').name !== ''");
      const shown = await page.evaluate<Pair[]>(showPairs);
      expect(shown.length).toBeGreaterThan(10);
      for (const { pair, cards } of shown) {
        const wanted = Map.groupBy(pair, ([filter]) => filter);
        const matching = [...truth].flatMap(([title, versions]) => {
          const fit = versions.filter((version) =>
            [...wanted.values()].every((values) => values.some(([filter, value]) => version.has(filter, value))),
          );
          return fit.length > 0 ? [[title, fit] as const] : [];
        });
        const fitting = new Map(matching);
        expect([pair, cards.map(({ title }) => title).sort()]).toEqual([pair, [...fitting.keys()].sort()]);
        const prices = cards.map(({ title }) => Number(bestOf(fitting.get(title) ?? []).price));
        if (javaScriptEnabled) expect([pair, prices]).toEqual([pair, prices.toSorted((a, b) => a - b)]);
        for (const { title, offer, versions, ordered } of cards) {
          const fit = fitting.get(title) ?? [];
          const [first, ...others] = truth.get(title) ?? [];
          const isAdded = others.length === 0 && first?.availability !== "out_of_stock";
          if (offer !== undefined) {
            expect([pair, title, fit, ordered]).toEqual([
              pair,
              title,
              truth.get(title),
              isAdded ? first?.sku : undefined,
            ]);
            const expected = describeOffer(fit);
            for (const part of expected)
              expect([pair, title, offer]).toEqual([pair, title, expect.stringContaining(part)]);
            expect([pair, title, pricesIn(offer)]).toEqual([pair, title, pricesIn(expected.join(" "))]);
          } else {
            const said = fit.map((version) => {
              const price = `${money(netOf(version.price))} ${note(version)}`;
              return [version.name, `${price} · ${stockOf(version)}`] as const;
            });
            expect([pair, title, versions]).toEqual([pair, title, Object.fromEntries(said)]);
          }
        }
      }
    });
  },
);

test("a category is sorted by the prices of the versions that match, and links to them", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${inject("shopUrl")}/categories/barcode-scanners?reads=2D&sort=price`);
    await page.getByText(/^\d+ of \d+ products$/).waitFor();
    const truth = readTruth("barcode-scanners");
    const priceOf = (title: string) =>
      Number(bestOf((truth.get(title) ?? []).filter((each) => each.has("Reads", "2D"))).price);
    const titles = await page.locator(".list > .card:visible .card-title a").allTextContents();
    expect(titles.length).toBeGreaterThan(5);
    expect(titles.map(priceOf)).toEqual(titles.map(priceOf).sort((a, b) => a - b));
    await page
      .getByRole("link", { name: /^1D and 2D: / })
      .first()
      .click();
    await page.waitForURL(/\/products\/tavrel-pip\?sku=TAV-PIP-2D$/);
  });
});
