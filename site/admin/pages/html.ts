import type { AdminWords } from "../words/admin-words.ts";

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
  return String(part ?? "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The parts of /admin, by the names of their words. */
const PARTS = {
  write: "/admin/cms/",
  prices: "/admin/prices",
  publish: "/admin/publish",
  history: "/admin/history",
} as const;

type PartName = keyof typeof PARTS;

interface Page {
  words: AdminWords;
  title: string;
  main: Html;
  /** The part that the page belongs to; undefined for the start page. */
  part?: PartName;
  /** For tables. */
  isWide?: boolean;
}

/** A page of /admin, with the way to the others. */
export function renderPage({ words, title, main, part, isWide = false }: Page): string {
  const links = Object.entries(PARTS).map(
    ([name, path]) =>
      html`<a href="${path}"${name === part ? html` aria-current="page"` : ""}>${words.parts[name as PartName].name}</a> `,
  );
  return html`<!DOCTYPE html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${part === undefined ? title : `${title} | ${words.start.title}`}</title>
<link rel="stylesheet" href="/admin/admin.css">
</head>
<body>
<header>
<a href="/admin"${part === undefined ? html` aria-current="page"` : ""}>${words.start.title}</a>
<nav aria-label="${words.start.nav}">${links}</nav>
<form method="post" action="/admin/sign-out"><button type="submit">${words.start.sign_out}</button></form>
</header>
<main${isWide ? html` class="wide"` : ""}>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.text;
}

/** The page at /admin, which leads to the others. */
export function renderStart(words: AdminWords, editor: string): string {
  const items = Object.entries(PARTS).map(
    ([name, path]) =>
      html`<li><a href="${path}">${words.parts[name as PartName].name}</a><br><span class="hint">${words.parts[name as PartName].hint}</span></li>
`,
  );
  const main = html`<p class="muted">${words.start.signed_in.replace("{name}", editor)}</p>
<ul class="choices">
${items}</ul>`;
  return renderPage({ words, title: words.start.title, main });
}

/** The page instead of one that can't be shown. */
export const renderProblem = (words: AdminWords, message: string): string =>
  renderPage({
    words,
    title: words.problems.title,
    main: html`<div class="notice bad" role="alert"><p>${message}</p></div>
`,
  });
