import { fileURLToPath } from "node:url";
import type { AstroIntegration, HookParameters } from "astro";

// Astro's module with all content, and how it begins (Astro 7.3, content/vite-plugin-content-virtual-mod.js).
const contentModule = "\0astro:data-layer-content";
const wholeStore = "export default JSON.parse(";

/**
 * The global variable with the content that pages read instead of Astro's file, by collection: in a quick build
 * (renderer/astro-renderer.ts) and in the dev server (renderer/live-content.ts).
 */
export const contentVariable = "twinfrontContent";

/** The global function that makes the dev server's next pages read the content anew. */
export const announceVariable = "twinfrontContentChanged";

/**
 * Astro integration that makes pages read the content from memory or from Astro's data store file. Astro would compile all of it as a
 * module, 20 MB for 10,000 products. If a future Astro has another module, it is left unchanged.
 */
export function contentStore(): AstroIntegration {
  return {
    name: "content-store",
    hooks: {
      "astro:config:setup": ({ command, config, updateConfig }) => {
        if (command !== "build" && command !== "dev") return;
        const kept = command === "build" ? config.cacheDir : new URL(".astro/", config.root);
        const file = fileURLToPath(new URL("data-store.json", kept));
        const read = `JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"))`;
        const code = `import { readFileSync } from "node:fs";\nexport default globalThis.${contentVariable} ?? ${read};`;
        const transform = (module: string, id: string) =>
          id === contentModule && module.startsWith(wholeStore) ? { code, map: null } : undefined;
        updateConfig({ vite: { plugins: [{ name: "content-store", transform }] } });
      },
      "astro:server:setup": ({ server }) => {
        Object.assign(globalThis, { [announceVariable]: () => readAnew(server) });
      },
    },
  };
}

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
