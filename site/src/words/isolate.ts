import { unescapeHTML } from "astro/runtime/server/index.js";
import { isRightToLeft } from "../../words/text-language.ts";
import { shop } from "../settings/shop.ts";
import { element, escapeXml } from "./markup.ts";

// Of Unicode (UAX #9): a page has elements in their place, so that what people and programs copy has no marks.
const [FIRST, LAST] = ["\u2068", "\u2069"];
const isNeeded = isRightToLeft(shop.locale);
const bdi = element("bdi");

/**
 * Marks a value of one of our sentences in a shop that is written from right to left, where `up to 1 ק״ג: 25.00 ₪` would have its
 * numbers changed round. Only for texts that a page shows by `isolated`.
 */
export const isolate = (value: string): string => (isNeeded ? FIRST + value + LAST : value);

/** A text for a page, with an element for each value that `isolate` has marked. */
export const isolated = (text: string) =>
  isNeeded
    ? unescapeHTML(
        text
          .split(/[\u2068\u2069]/)
          .map((part, index) => (index % 2 === 0 ? escapeXml : bdi)(part))
          .join(""),
      )
    : text;
