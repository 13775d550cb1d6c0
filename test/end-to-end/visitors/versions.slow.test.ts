import { readFileSync, rmSync } from "node:fs";
import { extname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { FeedProduct } from "../../../api/contract/built-files/products.ts";
import { chooseInPage } from "../../../api/people/product/choose-in-page.ts";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent, mails, validContent } from "../../site/content-check/content-tree.ts";
import { weightBudget } from "../../weight-budget.ts";
import { copyWorkspace, shops } from "../../workspace.ts";
import { withPage } from "./with-page.ts";

const range = (length: number) => Array.from({ length }, (_, index) => index + 1);

interface Generated {
  options: Record<string, number>;
  /** How many combinations aren't made. */
  notMade?: number;
  /** The option by which pictures differ. */
  pictured?: string;
}

/** A product whose versions are the combinations of so many values of each option. */
function makeProduct(slug: string, { options, notMade = 0, pictured }: Generated): Record<string, string> {
  const all = Object.entries(options).reduce<Record<string, number>[]>(
    (before, [name, count]) => before.flatMap((each) => range(count).map((value) => ({ ...each, [name]: value }))),
    [{}],
  );
  const versions = all
    .filter((_, index) => index >= notMade)
    .map((values, index) => {
      const written = Object.entries(values).map(([name, value]) => `${name}: "${name} ${value}"`);
      const stock = ["in_stock", "in_stock", "backorder", "out_of_stock"][index % 4];
      const picture = pictured === undefined ? "" : `, image: ./${slug}-${values[pictured]}.svg`;
      return `  - { sku: "${slug}-${index}", price: "${20 + (index % 7)}.00", availability: ${stock}, options: { ${written.join(", ")} }${picture} }`;
    });
  const pictures = range(pictured === undefined ? 1 : (options[pictured] ?? 1));
  const facts = [
    `title: The ${slug}`,
    "brand: Kestrel",
    "summary: Made in many versions.",
    `images:\n${pictures.map((place) => `  - { src: ./${slug}-${place}.svg, alt: "Picture ${place} of ${slug}" }`).join("\n")}`,
    `variants:\n${versions.join("\n")}`,
    "updated: 2026-10-02",
  ];
  const folder = "products/barcode-scanners";
  return {
    [`${folder}/${slug}.md`]: `---\n${facts.join("\n")}\n---\n## What it is for\n\nTo be chosen.\n`,
    ...Object.fromEntries(
      pictures.map((place) => [
        `${folder}/${slug}-${place}.svg`,
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><rect width="${place}" height="30"/></svg>\n`,
      ]),
    ),
  };
}

const generated = {
  ...makeProduct("tee", { options: { Colour: 10, Size: 5, Fit: 5 }, notMade: 10, pictured: "Colour" }),
  ...makeProduct("sock", { options: { Size: 2, Pattern: 3 }, notMade: 1, pictured: "Pattern" }),
  // As many values as the style sheet knows, and one more.
  ...makeProduct("bolt", { options: { Length: 60 } }),
  ...makeProduct("nut", { options: { Length: 61 }, pictured: "Length" }),
  ...makeProduct("paint", { options: { Colour: 20, Tin: 20 }, notMade: 3 }),
};
const store = validContent["store.yaml"]?.replace(
  "sales_email",
  `shipping: { handling_days: { min: 0, max: 1 }, zones: [{ countries: [GB], price: "5.00", transit_days: { min: 1, max: 2 } }] }
payment: { transfer: { account_holder: A Ltd, iban: "NL91ABNA0417164300", due_days: 14 } }
sales_email`,
);
const roots: string[] = [];
const dists: Record<string, string> = { demo: inject("dist") };

beforeAll(async () => {
  for (const [name, root] of [
    ["second", copyWorkspace(shops.second)],
    ["generated", copyWithContent({ ...generated, ...mails, "store.yaml": store ?? "" })],
  ] as const) {
    roots.push(root);
    dists[name] = (await buildOnce(root)).dist;
  }
});
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const origin = "https://shop.test";
const types: Record<string, string> = { ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

/** Opens pages of a built shop. */
async function serve(page: Page, dist: string): Promise<void> {
  await page.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const file = extname(pathname) === "" ? `${pathname}.html` : pathname;
    return route.fulfill({ body: readFileSync(join(dist, file)), contentType: types[extname(file)] ?? "text/html" });
  });
}

const readProducts = (dist: string): FeedProduct[] =>
  JSON.parse(readFileSync(join(dist, "products.json"), "utf8")).products;

/** Chooses each of several combinations, and says which lines and large pictures are seen then. */
const CHOOSE_EACH = `(combinations) => combinations.map((values) => {
  for (const [index, value] of values.entries())
    for (const pill of document.getElementsByName("o" + (index + 1))) pill.checked = pill.value === value;
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  return {
    lines: seen(".versions :is(li, .unchosen)").map((line) => line.textContent.replace(/\\s+/g, " ")),
    pictures: seen(".gallery .large img").map((picture) => picture.alt),
  };
})`;

interface Seen {
  lines: string[];
  pictures: string[];
}

/** All combinations of the options' values. */
const combinationsOf = ({ variants }: FeedProduct): string[][] =>
  Object.keys(variants[0]?.options ?? {}).reduce<string[][]>(
    (before, name) => {
      const values = [...new Set(variants.map(({ options }) => options[name] ?? ""))];
      return before.flatMap((each) => values.map((value) => [...each, value]));
    },
    [[]],
  );

const words: Record<string, Record<string, string>> = {
  en: { in_stock: "In stock", preorder: "Pre-order", backorder: "On back-order", out_of_stock: "Out of stock" },
  de: { in_stock: "Auf Lager", preorder: "Vorbestellbar", backorder: "Im Zulauf", out_of_stock: "Nicht lieferbar" },
};

test.each([
  ["demo", "en", 30],
  ["second", "de", 1],
  ["generated", "en", 4],
])(
  "in the %s shop, checked pills leave one line and one picture: those of that version",
  async (shop, language, least) => {
    const products = readProducts(dists[shop] ?? "").filter(
      ({ variants, slug }) => variants.length > 1 && slug !== "nut",
    );
    expect(products.length).toBeGreaterThanOrEqual(least);
    await withPage({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } }, async (page) => {
      await serve(page, dists[shop] ?? "");
      for (const product of products) {
        await page.goto(`${origin}/products/${product.slug}`);
        const names = Object.keys(product.variants[0]?.options ?? {});
        const isLong = combinationsOf(product).length > 250;
        const combinations = combinationsOf(product);
        const found: Seen[] = await page.evaluate(`(${CHOOSE_EACH})(${JSON.stringify(combinations)})`);
        for (const [index, values] of combinations.entries()) {
          const variant = product.variants.find(({ options }) =>
            names.every((name, place) => options[name] === values[place]),
          );
          const seen = found[index] ?? { lines: [], pictures: [] };
          if (isLong && variant === undefined) {
            expect([values, seen.lines]).toEqual([values, []]);
            continue;
          }
          expect([values, seen.lines.length]).toEqual([values, 1]);
          const [line = ""] = seen.lines;
          if (variant === undefined) {
            expect(line).toContain(`${values.join(" / ")}: there is no such version`);
            continue;
          }
          expect(line.split(/\s|·/)).toContain(variant.sku);
          const amount = new Intl.NumberFormat(language, { style: "currency", currency: variant.currency }).format(
            Number(variant.price_net),
          );
          expect(line.replaceAll(/[^\d,.]/g, " ")).toContain(amount.replaceAll(/[^\d,.]/g, ""));
          expect(line).toContain(words[language]?.[variant.availability]);
          expect([values, seen.pictures]).toEqual([values, [product.images[variant.image]?.alt]]);
        }
      }
    });
  },
);

test("a size is never chosen beforehand, and other options begin with the cheapest version in stock", async () => {
  const begins = async (shop: string, slug: string) => {
    const html = readFileSync(join(dists[shop] ?? "", `products/${slug}.html`), "utf8");
    return Array.from(html.matchAll(/ value="([^"]*)" required checked>/g), ([, value]) => value);
  };
  expect(await begins("demo", "marlstead-harbour-15")).toEqual(["8 GB", "Black"]);
  expect(await begins("demo", "ferncote-roll-80")).toEqual(["50 mm", "20 rolls"]);
  expect(await begins("second", "yama")).toEqual([]);
  expect(await begins("generated", "sock")).toEqual(["Pattern 2"]);
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await serve(page, dists["generated"] ?? "");
    await page.goto(`${origin}/products/sock`);
    const seen = page.locator(".versions :is(li, .unchosen)").filter({ visible: true });
    expect(await seen.textContent()).toMatch(/from €.*In stock in \d of 5 versions\s+· Please choose: Size/);
    await page.getByRole("button", { name: "Add to basket", exact: true }).click();
    // The browser asks for the size, and nothing is sent.
    expect(await page.evaluate("document.activeElement.name")).toBe("o1");
    await page.getByRole("radio", { name: "Size 2" }).check();
    expect(await seen.textContent()).toContain("Size 2 / Pattern 2: ");
  });
});

test("a page of 240 versions fits the first 14 KB and 900 elements, and loads one large picture", async () => {
  const dist = dists["generated"] ?? "";
  const html = readFileSync(join(dist, "products/tee.html"), "utf8");
  const sheets = Array.from(
    html.matchAll(/<link rel="stylesheet" href="([^"]+)"(?! media)/g),
    ([, href]) => `${href}.br`,
  );
  expect(sheets.length).toBe(2);
  const bytes = ["products/tee.html.br", ...sheets].map((file) => readFileSync(join(dist, file)).length);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(weightBudget.firstFlightBytes);
  await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
    await serve(page, dist);
    const pictures: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "image") pictures.push(request.url());
    });
    await page.goto(`${origin}/products/tee`, { waitUntil: "networkidle" });
    expect(await page.evaluate("document.getElementsByTagName('*').length")).toBeLessThanOrEqual(900);
    const large = await page.locator(".large img").evaluateAll((all) => all.map((each) => Reflect.get(each, "src")));
    expect(large.filter((src) => pictures.includes(src))).toHaveLength(1);
    await page.getByRole("radio", { name: "Colour 7" }).check();
    await expect.poll(() => large.filter((src) => pictures.includes(src)).length).toBe(2);
  });
});

test("of more values or combinations than a page shows, a button asks for price and stock, and Markdown has each version", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await serve(page, dists["generated"] ?? "");
    await page.goto(`${origin}/products/nut`);
    await page.getByRole("radio", { name: "Length 61" }).check();
    expect(await page.locator(".versions li").filter({ visible: true }).count()).toBe(0);
    const asked = page.waitForRequest((request) => request.url().includes("?"));
    await page.getByRole("button", { name: "Show price and stock" }).click();
    const { pathname, searchParams } = new URL((await asked).url());
    expect([pathname, searchParams.get("o1")]).toEqual(["/products/nut", "Length 61"]);
    await page.goto(`${origin}/products/bolt`);
    expect(await page.getByRole("button", { name: "Show price and stock" }).count()).toBe(0);
  });
  for (const [slug, count] of [
    ["nut", 61],
    ["paint", 397],
    ["tee", 240],
  ] as const) {
    const markdown = readFileSync(join(dists["generated"] ?? "", `products/${slug}.md`), "utf8");
    expect([slug, markdown.match(/^- .*: \*\*€.*\*\* net .* · .* · \w+-\d+$/gm)?.length]).toEqual([slug, count]);
    expect(markdown).toMatch(/^price_from: "20.00"$/m);
    expect(markdown).toContain("`https://test.example/buy/SKU:PIECES`");
  }
});

test("where the style sheet can't tell versions apart, there is the range of prices or the line that the API shows, never a stale one", async () => {
  const html = readFileSync(join(dists["generated"] ?? "", "products/nut.html"), "utf8");
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await serve(page, dists["generated"] ?? "");
    await page.route(`${origin}/products/nut?sku=nut-60`, (route) =>
      route.fulfill({ body: chooseInPage(html, ["Length 61", undefined, undefined]), contentType: "text/html" }),
    );
    const seen = page.locator(".versions :is(li, .unchosen)").filter({ visible: true });
    const large = page.locator(".gallery .large").filter({ visible: true });
    const range = [/^\s*€\d+\.\d\d to €\d+\.\d\d\s+net \(€20\.00 to €26\.00 with/];
    await page.goto(`${origin}/products/nut`);
    for (const value of [1, 61, 60]) {
      await page.getByRole("radio", { name: `Length ${value}`, exact: true }).check();
      expect(await seen.allTextContents()).toEqual(range.map((text) => expect.stringMatching(text)));
      expect(await large.count()).toBe(1);
    }
    await page.goto(`${origin}/products/nut?sku=nut-60`);
    expect(await seen.allTextContents()).toEqual([expect.stringMatching(/^\s*Length 61: .* nut-60\s*$/)]);
    // Values with and without a rule of their own.
    for (const value of [60, 61, 2]) {
      await page.getByRole("radio", { name: `Length ${value}`, exact: true }).check();
      const line = value === 61 ? [/^\s*Length 61: /] : range;
      expect(await seen.allTextContents()).toEqual(line.map((text) => expect.stringMatching(text)));
    }
  });
});

test("the button stands in the first 600 pixels, on a phone in one and a half screens, and is reached by 12 tabs", async () => {
  for (const shop of ["demo", "second"])
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await serve(page, dists[shop] ?? "");
      const sold = readProducts(dists[shop] ?? "").filter(({ variants }) => variants.some((each) => each.order_url));
      // Those of the most versions and pictures, and others of each kind.
      const tried = sold.filter(
        (each, index) => each.variants.length > 3 || each.images.length > 2 || index % 10 === 0,
      );
      expect(tried.length).toBeGreaterThan(0);
      for (const { slug } of tried) {
        await page.goto(`${origin}/products/${slug}`);
        // Higher than the page is long, so that nothing sticks.
        for (const [width, most] of [
          [1440, 600],
          [390, 1.5 * 844],
        ] as const) {
          await page.setViewportSize({ width, height: 4000 });
          const box = await page.locator(".order .button").last().boundingBox();
          expect([slug, width, (box?.y ?? Infinity) + (box?.height ?? 0)]).toEqual([
            slug,
            width,
            expect.toSatisfy((bottom) => bottom <= most),
          ]);
        }
        await page.locator(".skip-link").press("Enter");
        let tabs = 0;
        const isAtButton = "document.activeElement.matches('.order button')";
        while (!(await page.evaluate(isAtButton)) && tabs <= 12) {
          await page.keyboard.press("Tab");
          tabs += 1;
        }
        expect([slug, tabs]).toEqual([slug, expect.toSatisfy((count) => count <= 12)]);
      }
    });
});
