import { existsSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readJson } from "../../../api/platform/database/columns.ts";
import { readCatalogue } from "../../../api/selling/catalogue/catalogue-file.ts";
import { importProducts } from "../../../api/selling/catalogue/import.ts";
import { cleanDrawing } from "../../../site/pictures/clean-drawing.ts";
import { nameAsset } from "../../../site/pictures/clean-pictures.ts";
import { startApi } from "../../api/api.ts";
import { buildOnce } from "../../built-shops.ts";
import {
  findMissingFacts,
  readContent,
  readFrontMatter,
  readHtmlWords,
  readJsonLd,
  readMarkdownWords,
  readMerchantFeed,
  readProducts,
  toFeedItem,
  withoutDay,
} from "../../facts.ts";
import { kestrel, osprey } from "../content-check/content-problems.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";

const slug = "kestrel-c2";
const title = 'A ] b ) | ` $1,299.00 "x" <b>c</b> <script>alert(1)</script> & 🙂 שלום';

const photo = { width: 2400, height: 1800, channels: 3, background: "#808080" } as const;

let root = "";
const read = (path: string) => readFileSync(join(root, "site/dist", path), "utf8");

// The shop's prices exclude 21% tax; Google's feed and the JSON-LD must include it.
const classes = 'classes: { reduced: { GB: "0.05" } }, export:';
const delivery = `shipping:
  handling_days: { min: 1, max: 1 }
  zones: [{ countries: [GB], methods: [{ code: post, name: Post, by: pieces, tiers: [{ price: "10.00" }], transit_days: { min: 1, max: 1 } }] }]
`;
const shop = `${validContent["store.yaml"]?.replace("prices_include_tax: true", "prices_include_tax: false").replace("export:", classes)}logo: ./logo.png\n${delivery}`;
const withTax = "1538.91";

/** Changes a product's name, price and stock, as an editor would. */
function change(text: string): string {
  return text
    .replace(/^title: .*/m, () => `title: '${title}'`)
    .replace('price: "189.00"', 'price: "1271.83"')
    .replace("availability: in_stock", "availability: backorder\navailable_from: 2099-01-11");
}

/** What must not leave the shop, in every field of a picture that may hold it. */
const secret = "Ada Novak 48.2082N";

/**
 * A picture that stands upright, red above and blue below, as a camera held sideways writes it: lying down and marked to be
 * turned (EXIF orientation 6), with the author, the camera and the place. GIF can't say that it's turned.
 */
async function turned(format: "jpeg" | "png" | "webp" | "avif" | "gif"): Promise<Buffer> {
  const half = { width: 700, height: 900, channels: 3, background: "#0000ff" } as const;
  const red = await sharp({ create: { ...half, background: "#ff0000" } })
    .png()
    .toBuffer();
  const lying = sharp({ create: { ...half, width: 1400 } }).composite([{ input: red, left: 0, top: 0 }]);
  const exif = { IFD0: { Artist: secret, Model: secret, Copyright: secret }, IFD3: { GPSLatitudeRef: secret } };
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${secret}</dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`;
  const marked = lying.withIccProfile("p3").withExif(exif).withXmp(xmp).withMetadata({ orientation: 6 });
  const file = await marked.toFormat(format).toBuffer();
  const comment = Buffer.from(secret);
  const length = Buffer.from([0, comment.length + 2]);
  // A comment (ITU-T T.81, B.2.4.5), and bytes after the end, which viewers ignore.
  const commented =
    format === "jpeg"
      ? Buffer.concat([file.subarray(0, 2), Buffer.from([255, 254]), length, comment, file.subarray(2)])
      : file;
  return Buffer.concat([commented, comment]);
}

/** Two frames, red and blue. */
async function moving(): Promise<Buffer> {
  const frames = ["#ff0000", "#0000ff"].map((background) =>
    sharp({ create: { ...photo, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer();
}

const formats = ["jpeg", "png", "webp", "avif", "gif"] as const;
const camera = kestrel.replace("kestrel-c2", "camera");

/** A drawing as programs save it. */
const drawing = `<?xml version="1.0"?>
<!-- ${secret} -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:s="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" viewBox="0 0 800 600" s:docname="${secret}.svg" data-author="${secret}">
<title>${secret}</title><desc>${secret}</desc><s:namedview><s:guide id="${secret}"/></s:namedview>
<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><creator>${secret}</creator></rdf:RDF></metadata>
<g inkscape:label="${secret}"><rect width="800" height="300" fill="#f00"/><text y="9" font-family="a &quot;b&quot;">1 &lt; 2 &amp; 3</text></g></svg>`;

/**
 * A product with versions, of sizes 1, 2 … in two colours, each size a whole unit dearer than the one before. The white ones
 * have their options the other way round.
 */
const withSizes = (slug: string, sizes: number) => {
  const variants = Array.from({ length: sizes * 2 }, (_, index) => {
    const size = Math.floor(index / 2) + 1;
    const options = index % 2 === 0 ? `Colour: Black, Size: "${size}"` : `Size: "${size}", Colour: White`;
    return `  - { sku: "X-${slug}-${index}", price: "${9 + size}.00", availability: in_stock, options: { ${options} } }\n`;
  });
  // The home page shows what fits others.
  const works = "works_with: { osprey: the same counter }\nupdated: 2026-10-02";
  return newProduct(slug, undefined, works).replace(/sku:[\s\S]*in_stock\n/, `variants:\n${variants.join("")}`);
};

/** A product whose last version is called like both others together. */
const reader = newProduct("reader").replace(
  /sku:[\s\S]*in_stock\n/,
  `variants:\n${["1D", "2D", "1D, 2D"]
    .map((codes, index) => {
      const availability = index === 2 ? "out_of_stock" : "in_stock";
      return `  - { sku: "X-reader-${index}", price: "9.00", availability: ${availability}, options: { Codes: "${codes}" } }\n`;
    })
    .join("")}`,
);

const category = (title: string) =>
  (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", title);

beforeAll(async () => {
  const photographs = await Promise.all(
    formats.map(async (format) => [camera.replace(/md$/, format), await turned(format)] as const),
  );
  const images = [...formats, "svg"].map((format) => `  - src: ./camera.${format}\n    alt: A ${format}\n`).join("");
  root = copyWithContent({
    ...Object.fromEntries(photographs),
    [camera.replace(/md$/, "svg")]: drawing,
    [camera]: newProduct("camera", "77.00", "tax_class: reduced").replace(/ {2}- src: .*\n.*\n/, images),
    "logo.png": await turned("png"),
    // Its last version is gone.
    [camera.replace("camera", "mug")]: withSizes("mug", 13).replace(/in_stock(?![\s\S]*in_stock)/, "out_of_stock"),
    [camera.replace("camera", "reader")]: reader,
    "categories/cups.md": category("Cups"),
    "products/cups/cup.md": withSizes("cup", 2),
    [kestrel.replace("kestrel-c2.md", "moving.gif")]: await moving(),
    "pages/about.md":
      validContent["pages/about.md"]?.replace("We test.", "![A photo](../products/barcode-scanners/photo.png)") ?? "",
    "guides/choosing.mdx": `${validContent["guides/choosing.mdx"]}\n![A photo](../products/barcode-scanners/moving.gif)\n![A drawing](../products/barcode-scanners/camera.svg)\n`,
    "store.yaml": shop,
    [kestrel]: change(validContent[kestrel] ?? ""),
    [kestrel.replace("kestrel-c2.md", "photo.png")]: await sharp({ create: photo }).png().toBuffer(),
    [osprey]: (validContent[osprey] ?? "").replace("./osprey.svg", "./photo.png").replace("2099-01-11", "2026-01-05"),
  });
  await buildOnce(root);
});

afterAll(() => rmSync(root, { recursive: true }));

const changed = () => readContent(join(root, "content")).get(slug) ?? [];

test("a changed name, price and stock appear in both faces of the product and in its data", () => {
  const variants = changed();
  expect(variants).toMatchObject([
    { title, price: "1271.83", availability: "backorder", available_from: "2099-01-11" },
  ]);
  const [html, markdown] = [read(`products/${slug}.html`), read(`products/${slug}.md`)];
  const taxed = variants.map((variant) => ({ ...variant, price: withTax }));
  expect(readJsonLd(html)).toEqual(taxed);
  expect(html).toContain(`"price":"${withTax}","priceCurrency":"EUR","valueAddedTaxIncluded":true`);
  expect(readFrontMatter(markdown)).toEqual(taxed);
  expect(findMissingFacts(readHtmlWords(html), variants)).toEqual([]);
  expect(findMissingFacts(readMarkdownWords(markdown), variants)).toEqual([]);
  expect(html + markdown).not.toContain("189.00");
});

test("Google's feed has the price of a product's delivery with the rate of its class", () => {
  const priceOf = (item: string) =>
    new RegExp(`<g:id>${item}</g:id>.*?<g:service>Post</g:service>\\n<g:price>([^<]*)`, "s").exec(
      read("merchant-feed.xml"),
    )?.[1];
  expect([priceOf("X-camera"), priceOf("X-mug-0")]).toEqual(["10.50 EUR", "12.10 EUR"]);
});

test("a category of one product shows all of its versions, those of one price together", () => {
  const row = (versions: string, prices: string) => `${versions}: ${prices} · In stock`;
  const all = [
    row("Black / 1, White / 1", "€10.00 net (€12.10 with tax)"),
    row("Black / 2, White / 2", "€11.00 net (€13.31 with tax)"),
  ].join("; ");
  expect(readHtmlWords(read("categories/cups.html")).text).toContain(all);
  const markdown = read("categories/cups.md");
  expect(markdown).toContain(`\n${all}\n`);
  expect(markdown).not.toContain("from €");
});

test("the comparison gives versions one by one where one is called like several", () => {
  expect(read("categories/barcode-scanners/compare.md")).toContain(
    "| 1D: In stock; 2D: In stock; 1D, 2D: Out of stock |",
  );
});

test("of a product of more than 24 versions, lists, comparison and front matter say the lowest and the highest price", () => {
  const price = "€10.00 to €22.00 net (€12.10 to €26.62 with tax)";
  const sizes = Array.from({ length: 13 }, (_, index) => index + 1).join(", ");
  for (const path of ["categories/barcode-scanners", "categories/barcode-scanners/compare", "index"]) {
    const markdown = read(`${path}.md`).replaceAll("**", "");
    expect(markdown).not.toContain("Black / 1");
    for (const fact of [
      price,
      "Black, White",
      sizes,
      "In stock in 25 of 26 versions",
      "(https://test.example/products/mug)",
    ])
      expect([path, fact, markdown.includes(fact)]).toEqual([path, fact, true]);
    for (const fact of [price, "Black, White", sizes]) expect(readHtmlWords(read(`${path}.html`)).text).toContain(fact);
    expect(markdown).not.toContain("X-mug-");
  }
  const [, frontMatter = ""] = read("products/mug.md").split("---\n");
  expect(frontMatter).toMatch(/^currency: "EUR"\nprice_from: "12.10"\nprice_to: "26.62"\n$/m);
  expect(frontMatter).not.toContain("X-mug-");
  const lines = read("products/mug.md").match(/^- .* \/ \d+: \*\*€.* · X-mug-\d+$/gm);
  expect(lines).toHaveLength(26);
  expect(read("products/mug.md")).not.toContain("/buy/X-mug");
});

test("an expected date that has passed is left out of pages and feeds", () => {
  const variants = readContent(join(root, "content")).get("osprey") ?? [];
  expect(variants.map(({ available_from }) => available_from)).toEqual([null, null]);
  const taxed = variants.map((variant, index) => ({ ...variant, price: ["1571.79", "1595.99"][index] }));
  const [html, markdown] = [read("products/osprey.html"), read("products/osprey.md")];
  expect([readJsonLd(html), readFrontMatter(markdown)]).toEqual([taxed, taxed]);
  expect(html + markdown + read("merchant-feed.xml")).not.toContain("2026-01-05");
  expect(findMissingFacts(readHtmlWords(html), variants)).toEqual([]);
  const [ownText] = readHtmlWords(html).text.split("Similar products");
  expect(ownText).not.toContain("expected");
});

test("a photograph is published in four widths, and as a JPEG for link previews", async () => {
  const [page = ""] = read("products/osprey.html").split('id="similar"');
  const own = page.replaceAll(/<link rel="icon"[^>]*>|<img class="store-logo"[^>]*>/g, "");
  const names = own.match(/\/_astro\/[^"\s]+\.(?:png|webp|jpeg)/g) ?? [];
  const sizes = await Promise.all([...new Set(names)].map((name) => sharp(join(root, "site/dist", name)).metadata()));
  expect(sizes.map(({ format, width }) => `${format} ${width}`).sort()).toEqual([
    "jpeg 1200",
    "webp 1200",
    "webp 320",
    "webp 640",
    "webp 960",
  ]);
});

const files = () =>
  readdirSync(join(root, "site/dist"), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
const isRaster = (name: string) => /\.(?:jpe?g|png|webp|avif|gif)$/.test(name);

test("no picture leaves the shop with its author, camera or place, nor as the file that the editor saved", async () => {
  const own = new Set(
    globSync("content/**/*.{jpeg,png,webp,avif,gif}", { cwd: root }).map((path) =>
      readFileSync(join(root, path), "base64"),
    ),
  );
  for (const { name, parentPath } of files()) {
    const bytes = readFileSync(join(parentPath, name));
    const text = /\.(?:br|gz)$/.test(name) ? "" : bytes.toString("latin1");
    expect([name, text.includes("Novak"), own.has(bytes.toString("base64"))]).toEqual([name, false, false]);
    if (!isRaster(name)) continue;
    const { exif, xmp, icc, iptc, comments, width, pages = 1 } = await sharp(bytes).metadata();
    expect([name, exif, xmp, icc, iptc, comments]).toEqual([name, ...Array(5).fill(undefined)]);
    expect([name, width <= 1200, pages]).toEqual([name, true, 1]);
  }
});

test("pictures in texts are as large as 1,200 pixels and stand still, and a drawing stays one", async () => {
  const inText = (page: string) =>
    [...(read(`${page}.html`).split("<main")[1] ?? "").matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src = ""]) => src);
  const [photograph = ""] = inText("about");
  const paths = inText("guides/choosing");
  expect(paths.at(-1)).toMatch(/\.svg$/);
  for (const path of [photograph, paths.at(-2) ?? ""]) {
    const { width, height, pages = 1 } = await sharp(join(root, "site/dist", path)).metadata();
    expect([path, width, height, pages]).toEqual([path, 1200, 900, 1]);
  }
});

test("a drawing looks as before without what its program wrote about it, under another name", async () => {
  const own = nameAsset({ names: ["camera.svg"], source: drawing });
  expect(nameAsset({ names: ["camera.svg"], source: "<svg/>" })).toBe("_astro/[hash][extname]");
  const clean = read(own.replace("[extname]", ".svg"));
  expect(clean).toBe(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600">\n\n\n<g><rect width="800" height="300" fill="#f00"/><text y="9" font-family="a &quot;b&quot;">1 &lt; 2 &amp; 3</text></g></svg>\n`,
  );
  const looks = await Promise.all([drawing, clean].map((text) => sharp(Buffer.from(text)).raw().toBuffer()));
  expect(looks[1]?.equals(looks[0] ?? Buffer.alloc(0))).toBe(true);
});

test.each([
  [`<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><creator>${secret}</creator></RDF>`, ""],
  [`<g xlink:title="${secret}" xml:base="file:///home/${secret}/" xml:space="preserve" xlink:href="#a"/>`, null],
])("of %j in a drawing, only what is drawn is published", (inside, left) => {
  const draw = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`;
  const clean = Buffer.from(cleanDrawing(Buffer.from(draw(inside)))).toString();
  expect(clean.trim()).toBe(draw(left ?? '<g xml:space="preserve" xlink:href="#a"/>'));
});

test("pictures stand upright and whole in every format that may say it is turned", async () => {
  const html = read("products/camera.html");
  const shown = [...html.matchAll(/<img[^>]* alt="A (\w+)"[^>]*>/g)].slice(0, formats.length);
  for (const [tag, format = ""] of shown) {
    const sizeOf = (name: string) => Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1]);
    const [width, height] = [sizeOf("width"), sizeOf("height")];
    const paths = [...tag.matchAll(/\/_astro\/[^"\s]+/g)].map(([path]) => path);
    expect([format, paths.length > 1]).toEqual([format, true]);
    for (const path of paths) {
      const { data, info } = await sharp(join(root, "site/dist", path))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const colourAt = (x: number, y: number) => {
        const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
        return (data[at] ?? 0) > 128 ? "red" : "blue";
      };
      // Turned a quarter to the right, the left half is on top.
      const isTurned = format !== "gif";
      expect([path, info.width < info.height, width < height]).toEqual([path, isTurned, isTurned]);
      const corners = [colourAt(0, 0), colourAt(1, 0), colourAt(0, 1), colourAt(1, 1)];
      expect([path, corners]).toEqual([
        path,
        isTurned ? ["red", "red", "blue", "blue"] : ["red", "blue", "red", "blue"],
      ]);
    }
  }
  expect(shown.map(([, format]) => format)).toEqual([...formats]);
});

test("HTML, JSON-LD, feed and products.json name the same pictures, which exist, and the header's is a small PNG", async () => {
  const html = read("products/camera.html");
  const listed = JSON.parse(
    /<script type="application\/ld\+json">(\{[^<]*"Product"[^<]*)<\/script>/.exec(html)?.[1] ?? "{}",
  ).image;
  const item = /<item>\n<g:id>X-camera<[\s\S]*?<\/item>/.exec(read("merchant-feed.xml"))?.[0] ?? "";
  expect([...item.matchAll(/image_link>(https[^<]*)/g)].map(([, url]) => url)).toEqual(listed);
  const { products } = JSON.parse(read("products.json"));
  const { images } = products.find(({ slug }: { slug: string }) => slug === "camera");
  const photographs = listed.slice(0, formats.length);
  expect(images.map(({ url }: { url: string }) => url).slice(0, formats.length)).toEqual(photographs);
  for (const url of photographs) expect(html).toContain(new URL(url).pathname);
  const [preview = ""] = /og:image" content="([^"]*)/.exec(html)?.slice(1) ?? [];
  const [logo = ""] = /class="store-logo" src="([^"]*)/.exec(html)?.slice(1) ?? [];
  const all = [...listed, preview, ...images.map(({ url }: { url: string }) => url)].map(
    (url) => new URL(url).pathname,
  );
  for (const path of all) expect([path, existsSync(join(root, "site/dist", path))]).toEqual([path, true]);
  const [ofPreview, ofLogo] = await Promise.all(
    [preview && new URL(preview).pathname, logo].map((path) => sharp(join(root, "site/dist", path)).metadata()),
  );
  expect([ofPreview?.format, ofPreview?.width, ofPreview?.height]).toEqual(["jpeg", 900, 1400]);
  expect([ofLogo?.format, ofLogo?.width]).toEqual(["png", 512]);
  expect(read("index.html")).toContain(`"logo":"https://test.example${logo}"`);
});

test("a photograph has a small picture for baskets, and a drawing is its own", async () => {
  const { products } = JSON.parse(read("products.json"));
  const paths = new Map<string, string>(
    products.map(({ slug, images: [image] }: { slug: string; images: { thumbnail: string }[] }) => [
      slug,
      new URL(image?.thumbnail ?? "").pathname,
    ]),
  );
  const small = await sharp(join(root, "site/dist", paths.get("osprey") ?? "")).metadata();
  expect([small.format, small.width, small.height]).toEqual(["webp", 160, 120]);
  expect(paths.get(slug)).toMatch(/^\/_astro\/.*\.svg$/);
});

test("the changes appear on the category's page, in its Markdown, and in llms.txt and llms-full.txt", () => {
  const words = [title, "€1,271.83", "On back-order"];
  const category = "categories/barcode-scanners";
  const card = readHtmlWords(read(`${category}.html`)).text;
  const row = readMarkdownWords(read(`${category}.md`)).text;
  const whole = readMarkdownWords(read("llms-full.txt")).text;
  for (const text of [card, row, whole]) expect(words.filter((word) => !text.includes(word))).toEqual([]);
  // The reference parser of llms.txt ends a name at its first `]`.
  expect(readMarkdownWords(read("llms.txt")).text).toContain(
    `- [${title.replace("]", ")")}](https://test.example/products/${slug}.md): `,
  );
});

test("the changes appear in products.json, the merchant feed, the API's response and the database", async () => {
  const [variant] = changed();
  const whole = new Map(
    [...readContent(join(root, "content"))].map(([each, variants]) => [each, variants.map(withoutDay)]),
  );
  expect(readProducts(JSON.parse(read("products.json")))).toEqual(whole);
  const item = readMerchantFeed(read("merchant-feed.xml")).find((each) => each["g:id"]?.[0] === variant?.sku);
  expect(item).toMatchObject({ ...(variant && toFeedItem({ ...variant, price: withTax })), "g:title": [title] });
  const { db, get } = await startApi();
  await importProducts(db, await readCatalogue(join(root, "site/dist/products.json")));
  expect(readProducts((await get("/api/products")).json())).toEqual(whole);
  const rows = await db.selectFrom("products").select(["slug", "title", "variants"]).execute();
  const products = rows.map((row) => ({ ...row, variants: readJson(row.variants) }));
  expect(readProducts({ products })).toEqual(whole);
});
