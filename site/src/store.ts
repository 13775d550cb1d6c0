import text from "../../content/store.yaml?raw";
import { parseStore } from "./content/store.ts";

/** The shop's settings: content/store.yaml, its base address replaced by BASE_URL where the environment has one. */
export const store = parseStore(text, process.env["BASE_URL"]);

const { language, region } = new Intl.Locale(store.locale).maximize();

/**
 * The language of the pages, of which the fixed words are English: `en-CH` where store.yaml has the locale `de-CH`. Days
 * and countries are words too; numbers are written as the locale has them.
 */
export const pageLanguage = language === "en" ? store.locale : `en-${region}`;
