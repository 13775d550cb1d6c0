import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { receive, weighPage } from "../../page-weight.ts";
import { requestBudget, weightBudget } from "../../weight-budget.ts";
import { KINDS, withPage } from "./with-page.ts";

const url = inject("shopUrl");
const dist = inject("dist");
const files = readdirSync(dist, { recursive: true, encoding: "utf8" });

/** The pages that need a script. */
const hasScript = (path: string) => path.startsWith("/categories/");

/** Records a page's requests. */
function followRequests(page: Page) {
  const requests: { kind: string; path: string }[] = [];
  page.on("request", (request) => {
    requests.push({ kind: request.resourceType(), path: new URL(request.url()).pathname });
  });
  return requests;
}

test("every page has its styles in the first 14 KB and no blocking script", async () => {
  const pages = files.filter((file) => file.endsWith(".html")).map((file) => `/${file.slice(0, -".html".length)}`);
  expect(pages.length).toBeGreaterThan(90);
  const heavy: object[] = [];
  for (const page of pages) {
    const path = page === "/index" ? "/" : page;
    const { html, styles, deferredScripts, scriptsThatBlock } = await weighPage(url + path);
    expect(styles).toBeGreaterThan(1000);
    const firstFlight = html + styles;
    const scriptBytes = hasScript(path) ? weightBudget.scriptBytes : 0;
    if (firstFlight > weightBudget.firstFlightBytes || deferredScripts > scriptBytes || scriptsThatBlock > 0)
      heavy.push({ path, firstFlight, deferredScripts, scriptsThatBlock });
  }
  expect(heavy).toEqual([]);
});

test.each(KINDS)(
  "%s asks for its styles, its icon, its pictures once each, and nothing that is not used",
  async (path) => {
    await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
      const requests = followRequests(page);
      await page.goto(url + path, { waitUntil: "networkidle" });
      // Browsers with a window ask for it, too.
      const icon = (await page.locator("link[rel=icon]").getAttribute("href")) ?? "";
      requests.push({ kind: "icon", path: icon });
      expect((await fetch(url + icon)).headers.get("content-type")).toBe("image/svg+xml");
      expect(requests.length).toBeLessThanOrEqual(requestBudget[path.split("/")[1] ?? ""] ?? 0);
      await page.keyboard.press("End");
      await page.waitForLoadState("networkidle");
      const paths = requests.map((request) => request.path);
      expect(paths).toEqual([...new Set(paths)]);
      // A font comes with the first page or with the second.
      const others = requests.map(({ kind }) => kind).filter((kind) => kind !== "image" && kind !== "font");
      const sheets = ["stylesheet", "stylesheet", "stylesheet"];
      expect(others.sort()).toEqual(["document", "icon", ...sheets, ...(hasScript(path) ? ["script"] : [])].sort());
      const pictures = await page
        .locator("img")
        .evaluateAll((images) => images.map((image) => image.getAttribute("src")));
      const loaded = requests.filter(({ kind }) => kind === "image").map((request) => request.path);
      expect(pictures).toEqual(expect.arrayContaining(loaded));
    });
  },
);

test("a card of a list of 24 is small, and has no SKU to read", async () => {
  const lists = files
    .filter((file) => /^categories\/[^/]+\.html$/.test(file))
    .map((file) => readFileSync(join(dist, file), "utf8"));
  const cards = lists.flatMap((list) => list.match(/<article class="card".*?<\/article>/gs) ?? []);
  const [page = ""] = lists;
  const weigh = (shown: readonly string[]) =>
    brotliCompressSync(page.replace(/<article class="card".*<\/article>/s, () => shown.join(""))).length;
  expect(cards.length).toBeGreaterThan(48);
  for (let from = 0; from + 24 <= cards.length; from += 12) {
    const list = cards.slice(from, from + 24);
    expect((weigh(list) - weigh(list.slice(0, 1))) / 23).toBeLessThanOrEqual(weightBudget.cardBytes);
  }
  for (const card of cards) {
    expect(card.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(weightBudget.cardElements);
    expect(card).not.toMatch(/<code|SKU/);
  }
});

test("every style sheet, script, font, picture and icon is within its budget", () => {
  const budgets: Readonly<Record<string, number>> = {
    ".css": weightBudget.kindSheetBytes,
    ".woff2": weightBudget.fontBytes,
    ".js": weightBudget.scriptBytes,
    ".svg": weightBudget.pictureBytes,
    ".png": weightBudget.previewBytes,
  };
  const assets = files.filter((file) => file.startsWith("_astro/") && !/\.(?:br|gz)$/.test(file));
  const [shared] = /_astro\/[\w-]+\.css/.exec(readFileSync(join(dist, "index.html"), "utf8")) ?? [];
  const heavy = assets.map((file) => ({ file, bytes: statSync(join(dist, smallest(file))).size }));
  expect(new Set(assets.map((file) => extname(file)))).toEqual(new Set(Object.keys(budgets)));
  const budgetOf = (file: string) => (file === shared ? weightBudget.sharedSheetBytes : (budgets[extname(file)] ?? 0));
  expect(heavy.filter(({ file, bytes }) => bytes > budgetOf(file))).toEqual([]);
});

const smallest = (file: string) => (files.includes(`${file}.br`) ? `${file}.br` : file);

test("a page of results loads its styles, icon and pictures and no script", async () => {
  await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
    const requests = followRequests(page);
    const answer = await page.goto(`${url}/search?q=scanner`, { waitUntil: "networkidle" });
    const kinds = new Set(requests.map(({ kind }) => kind));
    expect([kinds.has("stylesheet"), kinds.has("image"), kinds.has("script")]).toEqual([true, true, false]);
    const { responseBodySize = 0, responseHeadersSize = 0 } = (await answer?.request().sizes()) ?? {};
    const sheets = await page
      .locator('link[rel="stylesheet"]:not([media])')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    const weights = await Promise.all(sheets.map((path) => receive(url + path)));
    const bytes = weights.reduce((sum, sheet) => sum + sheet.bytes, responseBodySize + responseHeadersSize);
    expect(responseBodySize).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(weightBudget.firstFlightBytes);
  });
});
