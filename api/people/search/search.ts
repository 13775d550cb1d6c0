import { Compile } from "typebox/schema";
import { Page, Product, SearchFacts } from "../../contract/built-files/search.ts";
import {
  type BuildLog,
  type Builds,
  followFile,
  type OfBuild,
  requireShape,
  SAME_CODE,
} from "../../platform/private-pages/builds.ts";
import { openSearchIndex, type SearchIndex } from "./search-index.ts";

const FILE = "search.index";
const [facts, products, pages] = [Compile(SearchFacts), Compile(Product), Compile(Page)];

/** Opens the index of the newest build, and again when that has changed. */
export const openSearch = (builds: Builds, log: BuildLog): OfBuild<SearchIndex> =>
  followFile({ builds, file: FILE, make: openFitting, name: "pages and products to search", log });

function openFitting(bytes: Buffer): SearchIndex {
  const index = openSearchIndex(bytes);
  if (!index) throw new Error(`${FILE} is of another release. ${SAME_CODE}`);
  requireShape(FILE, index.facts, facts);
  // The same code wrote all entries, so the first of each kind speaks for the others.
  const kinds = new Set<string>();
  for (let number = 0; number < index.size; number += 1) {
    const kind = index.kindOf(number);
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const entry = index.entryAt(number);
    if (entry.kind === "product") requireShape(FILE, entry.product, products);
    else if (entry.kind !== "category") requireShape(FILE, entry.page, pages);
  }
  return index;
}
