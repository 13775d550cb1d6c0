import { createHash } from "node:crypto";
import { Compile } from "typebox/compile";
import { type BuildLog, type Builds, followBuilds, type OfBuild } from "../private-pages/builds.ts";
import { describeMismatches } from "../shop/built-file.ts";
import { SearchFile } from "./search-file.ts";
import { makeSearchIndex, type SearchIndex } from "./search-index.ts";

const searchFile = Compile(SearchFile);

/** Indexes what the newest build has, and again when that has changed. */
export function openSearch(builds: Builds, log: BuildLog): OfBuild<SearchIndex> {
  let last: { hash: string; index: SearchIndex } | undefined;
  return followBuilds({
    builds,
    name: "pages and products to search",
    log,
    async make(read) {
      const { search: hash }: { search?: unknown } = JSON.parse(await read("manifest.json"));
      if (last && last.hash === hash) return last.index;
      const text = await read("search.json");
      if (createHash("sha256").update(`${text.length}\n${text}`).digest("hex") !== hash)
        throw new Error("The search's file is of another build than the manifest. This ends with the next one.");
      const file: unknown = JSON.parse(text);
      if (!searchFile.Check(file))
        throw new Error(
          `The search's file doesn't fit this release of the API: ${describeMismatches(searchFile.Errors(file), "the search")[0]}`,
        );
      last = { hash, index: await makeSearchIndex(file) };
      return last.index;
    },
  });
}
