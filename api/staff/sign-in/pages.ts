import de from "./words/de.ts";
import en from "./words/en.ts";

const WORDS = { en, de };

/** The pages that open without being signed in. */
type Page = "sign_in" | "enrol";

interface Shop {
  name: string;
  /** A BCP 47 tag. */
  locale: string;
}

/**
 * A page with one button and every message that sign-in.js may show, so that the script has no words. `shop` is undefined
 * while the database is away.
 */
export function renderPage(page: Page, shop: Shop | undefined): string {
  const language = shop?.locale.startsWith("de") ? "de" : "en";
  const { messages, [page]: words } = WORDS[language];
  const { no_script, ...shown } = messages;
  const lines = Object.entries(shown).map(([name, text]) => `<p data-message="${name}" hidden>${text}</p>`);
  const name = escapeHtml(shop?.name ?? "");
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}${name && ` | ${name}`}</title>
<link rel="stylesheet" href="/admin/admin.css">
<script type="module" src="/admin/sign-in.js"></script>
</head>
<body class="narrow">
<main>
<p class="muted">${name}</p>
<h1>${words.title}</h1>
<p>${words.intro}</p>
<noscript><p class="notice bad">${no_script}</p></noscript>
<div class="notice" role="status" hidden>
${lines.join("\n")}
</div>
<p><button type="button" data-action="${page}">${words.button}</button></p>
<p class="muted">${words.help}</p>
</main>
</body>
</html>
`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
