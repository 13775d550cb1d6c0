import { html } from "../pages/html.ts";
import type { AdminWords } from "../words/admin-words.ts";

/** The page at /admin/cms/, which Sveltia fills. */
export const renderCms = ({ language, cms }: AdminWords): string =>
  html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${cms.title}</title>
<script type="module" src="/admin/cms/assets/editor.js"></script>
</head>
<body>
<noscript>${cms.no_script}</noscript>
<p id="loading">${cms.loading}</p>
</body>
</html>
`.text;
