import { shop } from "../settings/shop.ts";
import type { Language } from "./en.ts";
import { grammarOf } from "./grammar.ts";

// One file a language, known by its name: another one is there as soon as its file is.
const languages = import.meta.glob<Language>("./[a-z][a-z].ts", { eager: true, import: "default" });

const { language } = new Intl.Locale(shop.locale);
const speak = languages[`./${language}.ts`];
if (speak === undefined)
  throw new Error(`site/src/words/${language}.ts is missing: store.yaml has \`locale: ${shop.locale}\``);

/** All that the pages say by themselves, in the language of store.yaml's locale. */
export const words = speak(grammarOf(shop.locale));
