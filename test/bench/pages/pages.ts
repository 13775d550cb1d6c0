import { step } from "../../../nginx/local/report.ts";
import { startOwnShop } from "../../grade/own-shop.ts";
import { readPages } from "../../grade/pages.ts";
import type { Findings } from "../row.ts";
import { scorePages } from "./scores.ts";
import { weighPages } from "./weights.ts";

/** Weighs every page of a running shop as nginx sends it, and has Lighthouse look at one of each kind. */
export async function benchPages(): Promise<Findings> {
  const baseUrl = await startOwnShop();
  const pages = await step("pages", () => readPages(baseUrl));
  return { rows: [...(await weighPages(pages, baseUrl)), ...(await scorePages(pages))] };
}
