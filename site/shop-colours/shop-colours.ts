import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { parseShop } from "../content-schema/shop.ts";
import { writeColours } from "./palette.ts";

const storeFile = fileURLToPath(new URL("../../content/store.yaml", import.meta.url));

/** Astro integration that adds the colours of store.yaml to styles/tokens.css. The CSP refuses inline styles. */
export function shopColours(): AstroIntegration {
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
