import { type DefaultTreeAdapterTypes as Html, parse } from "parse5";
import type { Facts } from "./facts.ts";
import { words } from "./site/shop/words.ts";

const stock: Record<string, string> = words.availability;

/** A price as people read it in the demo shop: `€1,189.00`. */
const inMoney = ({ price, currency }: Pick<Facts, "price" | "currency">): string =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(Number(price));

/** The words for a variant's stock, with the day on which it is expected. */
function inStockWords({ availability, available_from }: Facts): string {
  const day =
    available_from && new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(new Date(available_from));
  const said = stock[availability] ?? "";
  return day ? words.expected(said, day) : said;
}

/**
 * What of each variant's facts a product's page does not say in words. With several versions, price, stock and GTIN must
 * stand in the row of the SKU.
 */
export function unsaid(page: { text: string; rows: string[] }, variants: readonly Facts[]): string[] {
  return variants.flatMap((variant) => {
    const row = variants.length > 1 ? (page.rows.find((text) => text.includes(variant.sku)) ?? "") : page.text;
    const wanted = [variant.sku, variant.gtin ?? "", inMoney(variant), inStockWords(variant)];
    return [
      ...(page.text.includes(variant.title) ? [] : [variant.title]),
      ...wanted.filter((word) => !row.includes(word)).map((word) => `${variant.sku}: ${word}`),
    ];
  });
}

/** The words of an HTML page's `<main>`, and those of each row of its tables. */
export function readHtmlWords(html: string): { text: string; rows: string[] } {
  const elements = elementsOf(parse(html));
  const textsOf = (name: string) =>
    elements.filter(({ tagName }) => tagName === name).map((each) => tidy(textOf(each)));
  return { text: textsOf("main").join(), rows: textsOf("tr") };
}

/** The words of a Markdown page below its front matter, and its lines. */
export function readMarkdownWords(markdown: string): { text: string; rows: string[] } {
  const body = markdown.replace(/^---\n.*?\n---\n/s, "").replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return { text: tidy(body), rows: body.split("\n") };
}

function elementsOf(node: Html.ParentNode): Html.Element[] {
  const children = node.childNodes.filter((child): child is Html.Element => "tagName" in child);
  return children.flatMap((child) => [child, ...elementsOf(child)]);
}

const textOf = (node: Html.ChildNode): string =>
  "value" in node ? node.value : "childNodes" in node ? node.childNodes.map(textOf).join("") : "";

const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
