import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AstroIntegration } from "astro";
import { contentRoot } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { writeColours } from "./palette.ts";

/** Astro integration that adds the colours of store.yaml to styles/tokens.css. The CSP refuses inline styles. */
export function shopColours(): AstroIntegration {
  const storeFile = join(contentRoot(), "content", "store.yaml");
  const plugin = {
    name: "shop-colours",
    enforce: "pre" as const,
    transform: {
      filter: { id: /\/src\/styles\/tokens\.css$/ },
      handler(this: { addWatchFile: (file: string) => void }, css: string) {
        this.addWatchFile(storeFile);
        const { colours } = parseShop(readFileSync(storeFile, "utf8"));
        return colours && { code: css + writeColours(colours, css), map: null };
      },
    },
  };
  return {
    name: "shop-colours",
    hooks: { "astro:config:setup": ({ updateConfig }) => void updateConfig({ vite: { plugins: [plugin] } }) },
  };
}
