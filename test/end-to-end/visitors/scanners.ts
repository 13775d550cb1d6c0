import type { Page } from "playwright-core";
import { inject } from "vitest";

const url = inject("shopUrl");
/** The category whose filters and comparison are tested. */
export const category = `${url}/categories/barcode-scanners`;

interface Product {
  title: string;
  category: string;
  specifications: { name: string; value: string }[];
}

const readProducts = async (): Promise<Product[]> =>
  JSON.parse(await (await fetch(`${url}/products.json`)).text()).products;

/** The values of a specification in products.json, by the products' titles. */
export async function specificationsOf(name: string): Promise<Map<string, string>> {
  return new Map(
    (await readProducts()).flatMap(({ title, specifications }) =>
      specifications.flatMap((each) => (each.name === name ? [[title, each.value]] : [])),
    ),
  );
}

/** The titles of the scanners in products.json that match every filter, sorted. */
export async function scannersWith(wishes: Record<string, string[]>): Promise<string[]> {
  const scanners = (await readProducts()).filter((product) => product.category === "barcode-scanners");
  const fits = ({ specifications }: Product) =>
    Object.entries(wishes).every(([name, values]) => {
      const own = specifications.find((each) => each.name === name)?.value.split(", ") ?? [];
      return values.some((value) => own.includes(value));
    });
  return scanners
    .filter(fits)
    .map(({ title }) => title)
    .sort();
}

/** The titles in the page's list. */
export const visible = (page: Page) => page.locator(".list > .card:visible .card-title a").allTextContents();
