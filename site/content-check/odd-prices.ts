import { isSeq } from "yaml";
import { price as priceSchema } from "../content-schema/money.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import type { ReadPage } from "./targets.ts";

/** A slip of two digits makes a hundred times of a price that may be half as high as its neighbours'. */
const ODD = 50n;

interface Price {
  file: string;
  line: number;
  text: string;
  /** In the currency's smallest unit. */
  units: bigint;
}

/** Prices far from those of their category. Doubts only: a cable may stand beside a cabinet. */
export function findOddPrices(pages: readonly ReadPage[], currency: string | undefined): Problem[] {
  if (currency === undefined) return [];
  const schema = priceSchema(currency);
  const byCategory = Map.groupBy(
    pages.flatMap(({ page, yaml }) =>
      yaml === undefined || page.category === undefined ? [] : { category: page.category, file: page.file, yaml },
    ),
    ({ category }) => category,
  );
  return [...byCategory.values()].flatMap((products) => {
    const prices = products
      .flatMap(({ file, yaml }) => pricesOf(file, yaml))
      .filter(({ text }) => schema.safeParse(text).success)
      .sort((a, b) => (a.units < b.units ? -1 : a.units > b.units ? 1 : 0));
    const [lower, upper] = [prices[Math.ceil(prices.length / 2) - 1], prices[Math.floor(prices.length / 2)]];
    if (lower === undefined || upper === undefined) return [];
    return prices.flatMap(({ file, line, text, units }) => {
      const isHigh = units >= ODD * lower.units;
      // Of two prices nobody can say which is too low.
      const isLow = prices.length > 2 && units * ODD <= upper.units;
      if (!isHigh && !isLow) return [];
      const ratio = isHigh ? `${units / lower.units} times the` : `a ${upper.units / units}th of the`;
      const usual = isHigh ? lower.text : upper.text;
      const message = `price "${text}" is ${ratio} ${usual} that is usual in its category. Is the decimal point in its place?`;
      return { file, line, message, isDoubt: true as const };
    });
  });
}

function pricesOf(file: string, yaml: Yaml): Price[] {
  const { node } = locate(yaml, ["variants"]);
  const paths = [["price"], ...(isSeq(node) ? node.items.map((_, index) => ["variants", index, "price"]) : [])];
  return paths.flatMap((path) => {
    const text = yaml.document.getIn(path);
    if (typeof text !== "string" || !/^\d+(\.\d+)?$/.test(text)) return [];
    return { file, line: locate(yaml, path).line, text, units: BigInt(text.replace(".", "")) };
  });
}
