import { shop } from "../settings/shop.ts";
import type { Language } from "./en.ts";
import { grammarOf } from "./grammar.ts";
import { spell } from "./spelling.ts";

// One file per language: adding the file adds the language.
const languages = import.meta.glob<Language>("./[a-z][a-z].ts", { eager: true, import: "default" });

const { language } = new Intl.Locale(shop.locale);
const speak = languages[`./${language}.ts`];
if (speak === undefined)
  throw new Error(`site/src/words/${language}.ts is missing: store.yaml has \`locale: ${shop.locale}\``);

/** The site's own words, in the language of store.yaml's locale. */
export const words = spell(speak(grammarOf(shop.locale)), shop.locale);
