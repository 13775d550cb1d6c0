import { globSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pages } from "../../../api/people/pages.ts";
import { openSearch } from "../../../api/people/search/search.ts";
import { openBuilds } from "../../../api/platform/private-pages/builds.ts";
import { problemPage } from "../../../api/platform/private-pages/problem-page.ts";
import { openTemplates } from "../../../api/platform/private-pages/templates.ts";
import { buildOnce } from "../../built-shops.ts";
import { eventually } from "../../eventually.ts";
import { findHtmlFaults } from "../../html-faults.ts";
import { startDevServer } from "../build/dev-server.ts";
import { copyWithContent, validContent } from "../content-check/content-tree.ts";

const odd = "{{ x }} & {% if %}";

let root = "";
let dist = "";

beforeAll(async () => {
  const store = validContent["store.yaml"]?.replace(/^name: .*$/m, `name: "${odd}"`);
  root = copyWithContent({ "store.yaml": `${store}notice: Nothing is <really> sold.\n` });
  ({ dist } = await buildOnce(root));
});
afterAll(() => rm(root, { recursive: true }));

const log = { info: () => {}, error: () => {} };
const read = (file: string) => readFileSync(join(dist, file), "utf8");
const view = { title_word: "problem.not_found.title", text_word: "problem.not_found.text", reference: "a1" };

test("a private page is the shop's own page, with its header and footer, that no search engine lists", async () => {
  const templates = openTemplates({ builds: openBuilds(join(dist, ".session")), pages, log });
  const page = await templates.render(problemPage, view);
  expect(page).toContain("<title>Page not found | {{ x }} &amp; {% if %}</title>");
  expect(page).toMatch(/<header.*<main id="content">.*<h1>Page not found<\/h1>.*<\/main>.*<footer/s);
  expect(page).toContain('<meta name="robots" content="noindex">');
  expect(page).not.toMatch(/rel="canonical"|text\/markdown|breadcrumb|private-page-/);
  const [style = ""] = /\/_astro\/[\w-]+\.css/.exec(page) ?? [];
  expect(readFileSync(join(dist, style), "utf8").length).toBeGreaterThan(1_000);
  expect(await findHtmlFaults(page, "problem")).toEqual([]);
});

test("the Markdown of a link points to llms.txt below its front matter, as every page's does", () => {
  const quote = (file: string) => /^> .+$/m.exec(read(file))?.[0];
  expect(quote(".session/buy.md.liquid")?.replace("{{ origin }}", "https://test.example")).toBe(quote("index.md"));
  expect(read(".session/buy.md.liquid")).toMatch(/^---\n[^>]+\n---\n\n> .+\n\n# /);
});

test("pages on the way to an order show the shop's notice above their title, in both faces, and no others do", () => {
  const notice = '<p class="shop-notice">Nothing is &lt;really&gt; sold.</p>';
  for (const page of ["basket", "checkout", "review", "order"]) {
    const html = read(`.session/${page}.liquid`);
    const place = html.indexOf("{% render 'shop-notice' %}");
    expect(place).toBeGreaterThan(html.indexOf("<main"));
    expect(place).toBeLessThan(html.indexOf("<h1"));
  }
  expect(read(".session/partials/shop-notice.liquid").trim()).toBe(notice);
  expect(read(".session/buy.md.liquid")).toMatch(/\n\nNothing is \\<really> sold\.\n$/);
  for (const page of ["index.html", ".session/search.md.liquid", ".session/counter.liquid", ".session/errors/503"])
    expect([page, read(page)]).toEqual([page, expect.not.stringMatching(/really|shop-notice'/)]);
});

test("nothing that lists or copies the shop's pages knows the private ones", () => {
  const files = globSync("**/*.{html,md,txt,xml,json}", { cwd: dist });
  expect(files.filter((file) => file.includes("session"))).toEqual([]);
  for (const file of files) expect([file, readFileSync(join(dist, file), "utf8")]).not.toContain(".session");
  const own = globSync(".session/**/*.*", { cwd: dist });
  expect(own).toContain(".session/manifest.json");
  expect(own.filter((file) => /\.(gz|br|md)$/.test(file))).toEqual([]);
});

test("the dev server has the same templates and search, built when they are asked for, with words as they are then", async () => {
  const { url, stop } = await startDevServer(root);
  onTestFinished(stop);
  const builds = openBuilds(`${url}/.session`);
  const templates = openTemplates({ builds, pages, log });
  expect(await templates.findFault()).toBeUndefined();
  expect((await openSearch(builds, log).current()).findProduct("kestrel-c2")?.product.slug).toBe("kestrel-c2");
  expect(await templates.render(problemPage, view)).toContain("<h1>Page not found</h1>");
  const file = join(root, "site/words/en/private-pages.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace('"Page not found"', '"No such page"'));
  await eventually(async () => expect(await templates.render(problemPage, view)).toContain("<h1>No such page</h1>"));
});
