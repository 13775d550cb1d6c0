const vary = {
  Vary: {
    schema: { type: "string", enum: ["Accept, Accept-Encoding"] },
    description: "HTML and Markdown share one URL.",
  },
};

const body = (type: string, description: string, schema: object = { type: "string" }) => ({
  description,
  content: { [type]: { schema } },
});

/** A page: both faces are one 200 response with two content types. */
const page = (operationId: string, summary: string, description: string) => ({
  get: {
    operationId,
    tags: ["Public"],
    summary,
    description: `${description} HTML, or Markdown when the Accept header prefers text/markdown.`,
    security: [],
    responses: {
      200: {
        description: "The page.",
        headers: vary,
        content: {
          "text/html": { schema: { type: "string" }, example: "<!doctype html>…" },
          "text/markdown": { schema: { type: "string" }, example: "# Receipt printers\n\n…" },
        },
      },
      304: { description: "Nothing has changed since the ETag in If-None-Match.", headers: vary },
      405: body("text/plain", "Pages answer to GET and HEAD only."),
    },
  },
});

const file = (operationId: string, summary: string, type: string, schema?: object) => ({
  get: {
    operationId,
    tags: ["Public"],
    summary,
    description: `${summary}.`,
    security: [],
    responses: {
      200: body(type, summary, schema),
      304: { description: "Nothing has changed since the ETag in If-None-Match." },
      405: body("text/plain", "Files answer to GET and HEAD only."),
    },
  },
});

const string = (description: string, example: string) => ({ type: "string", description, example });
const day = (description: string) => ({ ...string(description, "2027-02-01"), nullable: true });
const address = (description: string, path: string) => ({
  ...string(description, `https://shop.example${path}`),
  format: "uri",
});
const list = (description: string, items: object) => ({ type: "array", items, description });
const orAll = (description: string) => ({
  ...list(`${description}; null for all.`, string("An SKU.", "KES-C2-BK")),
  nullable: true,
});

/** An object whose fields are always there. */
const object = (properties: Record<string, object>) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

/** Fields that mean the same in the partner API's answer. */
const same = (place: string, names: string) =>
  Object.fromEntries(
    names.split(" ").map((name) => [name, { $ref: `#/components/schemas/Product/properties/${place}${name}` }]),
  );

const otherPage = address("The other product's page.", "/products/tavrel-t40-cradle");

/** A product of products.json: `FeedProduct` in api/contract/. */
const feedProduct = object({
  ...same("", "slug"),
  formerly: list("Earlier slugs.", string("A slug.", "kestrel-c1")),
  ...same("", "url title description brand category"),
  images: list(
    "Pictures, the main one first.",
    object({
      ...same("images/items/properties/", "url alt"),
      thumbnail: address("The picture, small.", "/_astro/kestrel-c2-160.webp"),
    }),
  ),
  ...same("", "specifications"),
  variants: list(
    "The variants for sale; at least one.",
    object({
      ...same(
        "variants/items/properties/",
        "sku gtin barcode title options specifications price currency prices_include_tax tax_rate availability",
      ),
      available_from: day("The day on which a pre-order or back-order is expected."),
      image: { type: "integer", minimum: 0, description: "The place of its picture, from 0.", example: 0 },
      price_net: string("The price of one piece without tax.", "156.20"),
      order_url: {
        ...address(
          "A page to order one piece, for the person who orders. Null if it can't be ordered on the site.",
          "/buy/KES-C2-BK:1",
        ),
        nullable: true,
      },
      when_sold_out: {
        type: "string",
        enum: ["out_of_stock", "backorder"],
        description: "What `availability` becomes where the shop counts pieces and none is left.",
        example: "out_of_stock",
      },
      url: address("The product's page with this variant chosen.", "/products/kestrel-c2?sku=KES-C2-BK"),
      ...same("variants/items/properties/", "weight_g tax_class condition content order_quantity"),
    }),
  ),
  works_with: list(
    "Compatible products.",
    object({
      url: otherPage,
      skus: orAll("The other product's variants of which that is true"),
      own_skus: orAll("This product's variants of which that is true"),
      together_with: {
        ...address("The page of a product that both need to work together.", "/products/tavrel-t40-cradle"),
        nullable: true,
      },
      reason: string("Why they are compatible, in the shop's language.", "reads tickets at this till"),
    }),
  ),
  does_not_work_with: list(
    "Products that look compatible and aren't.",
    object({ url: otherPage, reason: string("Why not, in the shop's language.", "this scanner has no radio") }),
  ),
  similar: list("Pages of similar products.", otherPage),
  updated: day("The day of the last change."),
  ...same("", "categories"),
});

/** The public resources that the site builds and nginx serves, as OpenAPI paths. */
export const staticResources = {
  "/": page("getHome", "Home page", "What the shop sells, by category."),
  "/llms.txt": file(
    "getAgentGuide",
    "Guide for agents: what is public, what needs a token, where to find it",
    "text/plain",
  ),
  "/sitemap.xml": file("getSitemap", "Every indexable page of the storefront", "application/xml"),
  "/robots.txt": file("getCrawlRules", "Crawl rules, AI crawlers included", "text/plain"),
  "/developers": page(
    "getDeveloperGuide",
    "Developer guide",
    "The endpoints, authentication, errors and how to begin.",
  ),
  "/openapi.json": file("getApiDescription", "This description", "application/json", { type: "object" }),
  "/products.json": file(
    "getCatalogueFeed",
    "The public catalogue with variants, prices and availability",
    "application/json",
    {
      type: "object",
      required: ["products"],
      properties: {
        products: list("Products in ascending order of slug.", feedProduct),
      },
    },
  ),
};
