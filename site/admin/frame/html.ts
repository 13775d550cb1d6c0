import { escapeHtml } from "../../../api/contract/escape-html.ts";

/** Markup that is complete and safe to show. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Markup with values in it: texts are escaped, markup and lists of markup are kept, undefined is left out. */
export const html = (markup: TemplateStringsArray, ...values: readonly Part[]): Html =>
  new Html(markup.map((text, index) => text + write(values[index])).join(""));

function write(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(write).join("");
  return escapeHtml(String(part ?? ""));
}
