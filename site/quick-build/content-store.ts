import type { AstroIntegration, HookParameters } from "astro";
import type { LoaderContext } from "astro/loaders";

// Astro's module with all content (Astro 7.3, content/vite-plugin-content-virtual-mod.js).
const contentModule = "\0astro:data-layer-content";
// Says that pages have keys of their own for it, so that not all are rendered again when it changes (core/build/incremental-metadata.js).
const meta = { astroIncremental: { kind: "content-data" } };

/** The global variable with the content that pages read, by collection. */
export const contentVariable = "twinfrontContent";

/** The global function that makes the dev server's next pages read the content anew. */
export const announceVariable = "twinfrontContentChanged";

/**
 * Astro integration that makes pages read the content that was loaded in the same process, or by a quick build
 * (astro-renderer.ts). Astro would write it to a file, compile that as a module, 20 MB for 10,000 products, and hold it
 * three times. If a future Astro has another module, it is left unchanged.
 */
export function contentStore(): AstroIntegration {
  return {
    name: "content-store",
    hooks: {
      "astro:config:setup": ({ command, updateConfig }) => {
        if (command !== "build" && command !== "dev") return;
        const code = `export default globalThis.${contentVariable};`;
        const handler = (id: string) => (id === contentModule ? { code, map: null, meta } : undefined);
        updateConfig({ vite: { plugins: [{ name: "content-store", load: { order: "pre", handler } }] } });
      },
      "astro:server:setup": ({ server }) => {
        Object.assign(globalThis, { [announceVariable]: () => readAnew(server) });
      },
    },
  };
}

/** Content by collection and id. */
export type Content = Map<string, ReturnType<typeof entriesOf>>;

/** Gives a loaded collection to the pages. Returns what they have so far, in which later changes are seen. */
export function shareContent({ collection, store }: LoaderContext): Content {
  // Shared with pages, for which Astro makes another instance of this module.
  const shared = globalThis as { [contentVariable]?: Content };
  shared[contentVariable] ??= new Map();
  return shared[contentVariable].set(collection, entriesOf(store));
}

/** In the order of Astro's file, not in that in which files were read. */
const entriesOf = (store: LoaderContext["store"]) =>
  new Map(store.entries().sort(([one], [other]) => one.localeCompare(other)));

type DevServer = HookParameters<"astro:server:setup">["server"];

/**
 * Makes the next pages read the content anew, and reloads open ones, as Astro does when it has written its file. The module itself
 * stays: its content is changed in place.
 */
function readAnew({ environments }: DevServer): void {
  for (const name of ["ssr", "prerender"]) {
    const environment = environments[name];
    const { importers } = environment?.moduleGraph.getModuleById(contentModule) ?? {};
    for (const importer of importers ?? [])
      environment?.moduleGraph.invalidateModule(importer, undefined, Date.now(), true);
    // Astro's, about a route's paths.
    environment?.hot.send("astro:content-changed", {});
  }
  environments.client.hot.send({ type: "full-reload", path: "*" });
}
