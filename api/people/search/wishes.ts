import type { SearchFacts } from "../../contract/built-files/search.ts";
import { parseMoney } from "../../contract/money.ts";

/** What a query says of price and stock, and the query without it. */
export interface Wish {
  rest: string;
  /** In ten-thousandths, as lists show a price first: net. Both are included. */
  least: bigint | undefined;
  most: bigint | undefined;
  isInStock: boolean;
}

/** `1,000`, `1.000,50`, `99.90`, `100,-`. */
const NUMBER = String.raw`(\d{1,3}(?:[.,'’ ]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,9}(?:[.,]\d{1,2})?)(?![\d\p{L}])(?:[.,][-–])?`;
const AFTER_WORD = String.raw`(?<![\p{L}\p{N}])`;
const BEFORE_WORD = String.raw`(?![\p{L}\p{N}])`;

/**
 * Reads the wishes in a query: `scanner under 100`, `bis 150 €`, `between 50 and 80`, `in stock`. A number is a price if the
 * currency stands beside it, or no unit or other word that it might count: `up to 11 m`, `more than 2 tills`.
 */
export function readWish(query: string, { language, currency }: Pick<SearchFacts, "language" | "currency">): Wish {
  const { most, least, between, and, in_stock } = language.wishes;
  const sign = currency.map((each) => each.replaceAll(/[$.*+?^()[\]{}|\\]/g, "\\$&")).join("|");
  const small = [...language.prepositions, ...language.ignored].join("|");
  const end = String.raw`(?=\s*(?:$|[,;.!?)]|(?:${small}|${in_stock})${BEFORE_WORD}))(?!\s*(?:${and})\s*\d)`;
  const priced = String.raw`(?:(?:${sign})\s*${NUMBER}|${NUMBER}\s*(?:${sign})${BEFORE_WORD})`;
  const amount = `(?:${priced}|${NUMBER}${end})`;
  const first = String.raw`(?:${sign})?\s*${NUMBER}\s*(?:${sign})?`;
  const wish: Wish = { rest: query, least: undefined, most: undefined, isInStock: false };
  const take = (pattern: string, read: (amounts: bigint[]) => void) => {
    wish.rest = wish.rest.replace(new RegExp(AFTER_WORD + pattern, "iu"), (_all, ...groups: unknown[]) => {
      read(groups.slice(0, -2).flatMap((group) => (typeof group === "string" ? parseAmount(group) : [])));
      return " ";
    });
  };
  const setBoth = ([one, other]: bigint[]) => {
    if (one === undefined || other === undefined) return;
    [wish.least, wish.most] = one < other ? [one, other] : [other, one];
  };
  take(String.raw`(?:${between})\s+${first}\s*(?:${and}|[-–])\s*${amount}`, setBoth);
  take(String.raw`(?:${first}\s*(?:${and}|[-–])\s*${priced}|(?:${sign})\s*${NUMBER}\s*[-–]\s*${NUMBER})`, setBoth);
  take(String.raw`(?:${most}|[<≤]=?)\s*${amount}`, ([price]) => {
    wish.most ??= price;
  });
  take(String.raw`(?:${least}|[>≥]=?)\s*${amount}`, ([price]) => {
    wish.least ??= price;
  });
  // An amount by itself is what somebody can spend.
  take(priced, ([price]) => {
    wish.most ??= price;
  });
  take(`(?:${in_stock})${BEFORE_WORD}`, () => {
    wish.isInStock = true;
  });
  wish.rest = wish.rest
    .replaceAll(/(?<!\S)[,;.!?]+(?!\S)|\s+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return wish;
}

export const isWish = ({ least, most, isInStock }: Wish): boolean =>
  least !== undefined || most !== undefined || isInStock;

/** A separator with one or two digits behind it at the end is the decimal one, others group. */
function parseAmount(text: string): bigint {
  const [, whole = "", decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  return parseMoney(`${whole.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "")}.${decimals.padEnd(2, "0")}`);
}
