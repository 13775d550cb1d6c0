import { Compile } from "typebox/compile";
import { SearchFile } from "../../contract/built-files/search.ts";
import { type BuildLog, type Builds, followFile, type OfBuild } from "../../platform/private-pages/builds.ts";
import { makeSearchIndex, type SearchIndex } from "./search-index.ts";

const validator = Compile(SearchFile);

/** Indexes what the newest build has, and again when that has changed. */
export const openSearch = (builds: Builds, log: BuildLog): OfBuild<SearchIndex> =>
  followFile({
    builds,
    file: "search",
    validator,
    make: makeSearchIndex,
    name: "pages and products to search",
    log,
  });
