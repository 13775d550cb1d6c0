import type { Right } from "../../../api/contract/staff-rights.ts";
import type { AdminWords } from "../words.ts";
import { Html, html } from "./html.ts";
import { renderSignInForm } from "./sign-in-form.ts";

/**
 * What the header leads to, by the names of the words, and the right that it takes. A new part of /admin is one line here.
 * Orders and stock are the API's pages (api/staff/).
 */
const ENTRIES = {
  orders: { path: "/admin/orders", right: "orders" },
  stock: { path: "/admin/stock", right: "orders" },
  write: { path: "/admin/cms/", right: "content" },
  prices: { path: "/admin/prices", right: "content" },
  publish: { path: "/admin/publish", right: "content" },
  history: { path: "/admin/history", right: "content" },
} as const satisfies Record<string, { path: string; right: Right }>;

type EntryName = keyof typeof ENTRIES;

const entries = (Object.keys(ENTRIES) as EntryName[]).map((name) => ({ name, ...ENTRIES[name] }));

/** An entry for those alone who have the right: the page is the same for all until it's sent. */
const marked = (right: Right, entry: Html): Html => new Html(`<!--may ${right}-->${entry.text}<!--end-->`);

const MARKED = /<!--may (\w+)-->([\s\S]*?)<!--end-->/g;

/** A page for somebody with these rights: what they can't open isn't in its header. */
export const forRights = (page: string, rights: ReadonlySet<Right>): string =>
  page.replaceAll(MARKED, (_all, right: Right, entry: string) => (rights.has(right) ? entry : ""));

/** The same as Liquid, for the API, which gives every page of /admin `staff`. */
export const forStaffInLiquid = (page: string): string => page.replaceAll(MARKED, "{% if staff.may_$1 %}$2{% endif %}");

/** Where a page belongs: to an entry of the header, to the start page, or before signing in, when no entry can be opened yet. */
type Place = EntryName | "start" | "signed out" | undefined;

interface Document {
  words: AdminWords;
  title: string;
  place: Place;
  /** What the page needs in its head besides. */
  head?: Html | undefined;
  /** What follows the header. */
  body: Html;
}

/** A whole page below /admin: the style sheet (site/src/pages/admin/admin.css.ts), the header, and `body`. */
export const renderDocument = ({ words, title, place, head, body }: Document): string =>
  html`<!DOCTYPE html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${place === "start" ? title : `${title} | ${words.start.title}`}</title>
<link rel="stylesheet" href="/admin/admin.css">
${place === "signed out" ? undefined : script}${head}</head>
<body>
${renderHeader(words, place)}
${place === "signed out" ? undefined : renderNote(words)}
${body}${place === "signed out" ? undefined : renderSignedOut(words)}</body>
</html>
`.text;

function renderHeader({ start, parts }: AdminWords, place: Place): Html {
  const link = (name: Place, path: string, text: string) =>
    html`<a href="${path}"${name === place ? html` aria-current="page"` : undefined}>${text}</a>`;
  const links = entries.map(({ name, path, right }) => marked(right, html`${link(name, path, parts[name].name)} `));
  const forEditors = html`
<nav aria-label="${start.nav}">${links}</nav>
<form method="post" action="/admin/sign-out"><button type="submit">${start.sign_out}</button></form>`;
  return html`<header id="header">
${link("start", "/admin", start.title)}${place === "signed out" ? undefined : forEditors}
</header>`;
}

const script = html`<script type="module" src="/admin/admin.js"></script>
`;

/** What admin.js and the CMS say while the editor waits, in an element that screen readers listen to from the start. */
const renderNote = ({ waiting }: AdminWords): Html =>
  html`<div id="wait" data-wait="${waiting.answer}" data-unreachable="${waiting.unreachable}"><div role="status"></div></div>`;

/** What admin.js shows where the session has ended before a form was sent. */
const renderSignedOut = (words: AdminWords): Html => html`<dialog id="signed-out" aria-labelledby="signed-out-title">
<h2 id="signed-out-title">${words.signed_out.title}</h2>
<p>${words.signed_out.kept}</p>
${renderSignInForm(words, "sign_in")}
<form method="dialog"><button type="submit" class="secondary">${words.signed_out.later}</button></form>
</dialog>
`;

interface Page extends Omit<Document, "place" | "body"> {
  place?: Place;
  main: Html;
  /** Of the main part: for one short form, or for tables. */
  width?: "narrow" | "wide";
}

/** A page with a heading and what is below it. */
export function renderPage({ title, main, place, width, ...more }: Page): string {
  const body = html`<main${width && html` class="${width}"`}>
<h1>${title}</h1>
${main}
</main>
`;
  return renderDocument({ ...more, title, place, body });
}

/** What the start page leads to. */
export function renderChoices({ parts }: AdminWords): string {
  const items = entries.map(({ name, path, right }) =>
    marked(
      right,
      html`<li><a href="${path}">${parts[name].name}</a><br><span class="hint">${parts[name].hint}</span></li>
`,
    ),
  );
  return html`<ul class="choices">
${items}</ul>`.text;
}

/** The frame of a page that the API makes, whose template is `staff/<name>`: `orders` and `orders-export` belong to Orders. */
export function renderStaffFrame(words: AdminWords, name: string, title: string, content: string): string {
  const [part = ""] = name.split("-");
  const places: Readonly<Record<string, Place>> = { home: "start", order: "orders" };
  const place = places[part] ?? entries.find((entry) => entry.name === part)?.name;
  const width = place === "orders" || place === "stock" ? html` class="wide"` : undefined;
  const body = html`<main${width}>
${new Html(content)}
</main>
`;
  return renderDocument({ words, title, place, body });
}

/** The page instead of one that can't be shown. */
export const renderProblem = (words: AdminWords, message: string): string =>
  renderPage({
    words,
    title: words.problems.title,
    main: html`<div class="notice bad" role="alert"><p>${message}</p></div>
`,
  });
