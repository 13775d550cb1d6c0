import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";

// Astro's module with all content, and how it begins (Astro 7.3, content/vite-plugin-content-virtual-mod.js).
const contentModule = "\0astro:data-layer-content";
const wholeStore = "export default JSON.parse(";

/** The global variable in which the quick build gives its pages the content (renderer/astro-renderer.ts). */
export const changedContent = "twinfrontContent";

/**
 * Astro integration that makes a build read the content from Astro's data store file. Astro would compile all of it as a module,
 * 20 MB for 10,000 products. If a future Astro has another module, it is left unchanged.
 */
export function contentStore(): AstroIntegration {
  return {
    name: "content-store",
    hooks: {
      "astro:config:setup": ({ command, config, updateConfig }) => {
        if (command !== "build") return;
        const file = fileURLToPath(new URL("data-store.json", config.cacheDir));
        const read = `JSON.parse(readFileSync(${JSON.stringify(file)}, "utf8"))`;
        const code = `import { readFileSync } from "node:fs";\nexport default globalThis.${changedContent} ?? ${read};`;
        const transform = (module: string, id: string) =>
          id === contentModule && module.startsWith(wholeStore) ? { code, map: null } : undefined;
        updateConfig({ vite: { plugins: [{ name: "content-store", transform }] } });
      },
    },
  };
}
