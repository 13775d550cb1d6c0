// Renders one page of a content folder (CONTENT_ROOT) with the code of the last full build, and prints both faces as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashBuildInput } from "../../build/build-input.ts";
import { CHECKOUT } from "../../content-repository/checkout.ts";
import { contentRoot } from "../../content-repository/content-root.ts";
import { parseShop } from "../../content-schema/shop.ts";
import { pageToMarkdown } from "../../markdown-face/page-to-markdown.ts";
import { openRenderer } from "../../quick-build/astro-renderer.ts";
import { NEEDS_BUILD } from "./preview.ts";

const [, , pathname = "/"] = process.argv;
// That build read its content in another folder; what has changed since is read here.
const renderer = await openRenderer(hashBuildInput(CHECKOUT)).catch(() => undefined);
const route = renderer?.routes.find((each) => each.pathname === pathname);
if (renderer === undefined || route === undefined) process.exit(NEEDS_BUILD);
const { body } = await renderer.render(route);
const html = body?.toString() ?? "";
const { base_url } = parseShop(
  readFileSync(join(contentRoot(), "content", "store.yaml"), "utf8"),
  process.env["BASE_URL"],
);
process.stdout.write(JSON.stringify({ html, markdown: pageToMarkdown(html, base_url) ?? "" }));
