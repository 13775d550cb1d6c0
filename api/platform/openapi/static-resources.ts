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
        products: { type: "array", items: { type: "object" }, description: "Products in ascending order of slug." },
      },
    },
  ),
};
