import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { words } from "../../site/words/words.ts";
import { withPage } from "./with-page.ts";

const url = inject("shopUrl");

/** A search's message and the titles it finds. */
async function search(page: Page, query: string): Promise<{ message: string; titles: string[] }> {
  await page.goto(`${url}/search?${new URLSearchParams({ q: query })}`);
  await page.getByRole("status").filter({ hasText: "“" }).waitFor();
  const titles = await page.locator("#search-results a").allTextContents();
  return { message: (await page.getByRole("status").textContent()) ?? "", titles };
}

test.each(["TAV-PIP", "tavpip", "tav pip"])("the SKU %s finds its product", async (query) => {
  await withPage({}, async (page) => {
    expect((await search(page, query)).titles[0]).toBe("Tavrel Pip pocket scanner");
  });
});

test("a GTIN finds its product, and a category's other names find its products", async () => {
  await withPage({}, async (page) => {
    const { products } = JSON.parse(await (await fetch(`${url}/products.json`)).text());
    const pip = products.find(({ slug }: { slug: string }) => slug === "tavrel-pip");
    expect((await search(page, pip.variants[0].gtin)).titles).toEqual([pip.title]);
    const till = await search(page, "till");
    expect(till.titles.some((title) => /POS terminal|till/.test(title))).toBe(true);
  });
});

test.each(["TAV-T40-BK", "0217302001370", "217302001370"])(
  "what %s finds says what the product is, which version has it and what that costs",
  async (query) => {
    await withPage({}, async (page) => {
      await search(page, query);
      const card = page.locator("#search-results li");
      expect(await card.count()).toBe(1);
      expect(await card.locator(".card-summary").textContent()).toMatch(/^A cordless gun scanner with .*\.$/);
      expect(await card.locator(".price").textContent()).toBe("Black, TAV-T40-BK, 0217302001370, €219.00");
    });
  },
);

test.each(["99999999", "%00<script>", "ürun"])("%s finds nothing", async (query) => {
  await withPage({}, async (page) => {
    const { message, titles } = await search(page, query);
    expect([message.split(".")[0], titles]).toEqual([`Nothing found for “${query}”`, []]);
  });
});

test("an excerpt has sentences of the page, not prices or table headers", async () => {
  await withPage({}, async (page) => {
    await search(page, "tavrel");
    const excerpts = await page.locator("#search-results .card-summary").allTextContents();
    expect(excerpts.length).toBeGreaterThan(5);
    for (const excerpt of excerpts) expect(excerpt).not.toMatch(/€|Brand|SKU|GTIN|Property|VAT/);
  });
});

test("a typo finds what was meant and says so; an unknown word finds nothing and offers alternatives", async () => {
  await withPage({}, async (page) => {
    const slip = await search(page, "cordlss  scanner");
    expect(slip.message).toMatch(/^Nothing found for “cordlss scanner”\. .*\d+ results for “cordless scanner”/);
    expect(slip.titles.join()).toContain("Tavrel T40 cordless");
    const nothing = await search(page, "xyzzyqux");
    expect(nothing.titles).toEqual([]);
    expect(nothing.message).toContain("Nothing found for “xyzzyqux”.");
    expect(await page.getByRole("link", { name: "TAV-PIP-2D" }).isVisible()).toBe(true);
  });
});

test("the header's field leads to results; arrow keys move between them and Enter opens one", async () => {
  await withPage({}, async (page) => {
    await page.goto(url);
    await page.getByLabel(words.search.label).fill("returns");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/search\?q=returns$/);
    await page.locator("#search-results a").first().waitFor();
    await page.locator("#query").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    expect(await focused()).toBe("Returns");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/returns$/);
  });
});

test("typing searches, and the address is shareable", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/search`);
    expect(await page.getByRole("status").textContent()).toBe(words.scripts.search.start);
    await page.locator("#query").pressSequentially("fingerprint");
    await page.locator("#search-results a").first().waitFor();
    await page.waitForURL(/\?q=fingerprint$/);
    expect(await page.locator("#search-results .price").first().textContent()).toMatch(/€/);
  });
});

test("markup in a query is shown as text", async () => {
  await withPage({}, async (page) => {
    const { message } = await search(page, "<img src=x onerror=alert(1)>");
    expect(message).toContain("<img src=x");
    expect(await page.locator("main img").count()).toBe(0);
  });
});

test("without JavaScript the search page lists all SKUs and categories", async () => {
  const { products } = JSON.parse(await (await fetch(`${url}/products.json`)).text());
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${url}/search?q=pip`);
    expect(await page.getByRole("status").textContent()).toContain(words.search.noScript);
    const links = await page.locator(".sku-index a").allTextContents();
    const skus = products.flatMap(({ variants }: { variants: { sku: string }[] }) => variants.map(({ sku }) => sku));
    expect(links).toEqual(skus.sort());
    await page.getByRole("link", { name: "TAV-PIP-2D" }).click();
    expect(page.url()).toMatch(/\/products\/tavrel-pip$/);
  });
});

test("the index is loaded on the first search", async () => {
  await withPage({}, async (page) => {
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(`${url}/search`, { waitUntil: "load" });
    expect(fetched.filter((path) => path.startsWith("/pagefind/"))).toEqual([]);
    await Promise.all([page.waitForRequest(/pagefind\.js/), page.locator("#query").focus()]);
  });
});
