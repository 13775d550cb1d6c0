import type { RootContent } from "mdast";
import type { Element } from "./elements.ts";

/** What an element is in Markdown: nothing, where it says nothing. */
export type Mdast = RootContent[] | RootContent | undefined;

/** Converts an element and what is in it. */
export type Handler = (element: Element, page: Page) => Mdast;

/** The page that is being converted. */
export type Page = {
  /** The Markdown of what stands in an element. */
  contentOf: (element: Element) => RootContent[];
  /** The absolute form of a link's or a picture's address, its parentheses percent-encoded. Throws when it is none. */
  addressOf: (reference: string) => string;
};
