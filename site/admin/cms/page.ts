import { html } from "../frame/html.ts";
import { renderDocument } from "../frame/page.ts";
import type { AdminWords } from "../words.ts";

/** The page at /admin/cms/. Sveltia fills #nc-root, the element that it looks for, below the header. */
export const renderCms = (words: AdminWords): string =>
  renderDocument({
    words,
    title: words.cms.title,
    place: "write",
    head: html`<script type="module" src="/admin/cms/assets/editor.js"></script>
`,
    body: html`<div id="nc-root">
<noscript>${words.cms.no_script}</noscript>
<p id="loading">${words.cms.loading}</p>
</div>
`,
  });
