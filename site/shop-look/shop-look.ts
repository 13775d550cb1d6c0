import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AstroIntegration } from "astro";
import { contentRoot } from "../content-repository/content-root.ts";
import { lookOf, parseShop } from "../content-schema/shop.ts";
import { isRightToLeft } from "../words/text-language.ts";
import { writeFonts } from "./fonts.ts";
import { writeColours } from "./palette.ts";

/**
 * Astro integration that gives the shared style sheet the shop's look, and each kind of page's sheet, which comes after it, the rules
 * of content/theme.css: a sheet of their own would cost 416 bytes more of a page's first 14 kB. The CSP refuses inline styles.
 */
export function shopLook(): AstroIntegration {
  const folder = join(contentRoot(), "content");
  const storeFile = join(folder, "store.yaml");
  const themeFile = join(folder, "theme.css");
  const tokensFile = join(import.meta.dirname, "../src/styles/tokens.css");
  const plugin = {
    name: "shop-look",
    enforce: "pre" as const,
    transform: {
      // With `?url` it is a module that has the sheet's address; the sheet has another query, in a build and in the dev server.
      filter: { id: /\/src\/styles\/sheets\/[a-z]+\.css(?:\?(?!url$)|$)/ },
      handler(this: { addWatchFile: (file: string) => void }, css: string, id: string) {
        if (/\/shared\.css(?:\?|$)/.test(id)) {
          this.addWatchFile(storeFile);
          const [store, tokens] = [readFileSync(storeFile, "utf8"), readFileSync(tokensFile, "utf8")];
          return { code: writeLook(css, store, tokens, folder), map: null };
        }
        this.addWatchFile(themeFile);
        return existsSync(themeFile) ? { code: `${css}\n${readFileSync(themeFile, "utf8")}`, map: null } : undefined;
      },
    },
  };
  return {
    name: "shop-look",
    hooks: { "astro:config:setup": ({ updateConfig }) => void updateConfig({ vite: { plugins: [plugin] } }) },
  };
}

/**
 * The shared sheet with the look of store.yaml (`storeYaml`) after tokens.css. It is without the display face if the shop has one of
 * its own, or its language isn't written in Latin letters, for which alone the face has shapes, and without what only a language
 * has that is written from right to left.
 *
 * @param folder where store.yaml is
 */
export function writeLook(sheet: string, storeYaml: string, tokens: string, folder: string): string {
  const shop = parseShop(storeYaml);
  const { colours, corner, fonts } = lookOf(shop);
  const isLatin = new Intl.Locale(shop.locale).maximize().script === "Latn";
  const unused = [
    isLatin && fonts?.headings === undefined ? [] : /^.*\/display-face\.css.*\n/m,
    isRightToLeft(shop.locale) ? [] : /^.*\/right-to-left\.css.*\n/m,
  ].flat();
  const used = unused.reduce((css, line) => css.replace(line, ""), sheet);
  return [
    used,
    colours ? writeColours(colours, tokens) : "",
    corner === undefined ? "" : `:root { --radius: ${corner}px; }\n`,
    fonts ? writeFonts(fonts, folder, tokens) : "",
  ].join("");
}
