import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../database/pool.ts";
import {
  cursorAhead,
  describePage,
  pageFields,
  pageParameters,
  readKeyset,
  refuseCursorAhead,
} from "../http/paging.ts";
import {
  conditionalRequest,
  entityTagHeader,
  linkHeader,
  matchesEntityTag,
  notModified,
  partnerHeaders,
} from "../http/partner-headers.ts";
import { partnerProblems } from "../http/problem-schema.ts";
import { reference } from "../http/schema-types.ts";
import { listCatalogue, listProducts, readCatalogueTag } from "./queries.ts";
import { Product } from "./schema.ts";

const listSchema = {
  operationId: "listProducts",
  tags: ["Partner"],
  summary: "List products",
  description:
    "Without parameters the whole catalogue, with an ETag. With `limit`, `since_id` or `changed_after` a page of it, as with orders. Products that left the catalogue stay in it as `archived`.",
  headers: conditionalRequest,
  querystring: Type.Object(pageParameters, { additionalProperties: false }),
  response: {
    200: Type.Object(
      {
        products: Type.Array(reference("Product", Product), { description: "The catalogue, or a page of it." }),
        ...pageFields,
      },
      {
        description: "Products. The ETag comes with the whole catalogue only, the Link with a page only.",
        headers: { ...partnerHeaders, ...entityTagHeader, ...linkHeader },
      },
    ),
    304: notModified,
    ...cursorAhead,
    ...partnerProblems,
  },
};

/** GET /api/products (design §6). */
export const productRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get("", { schema: listSchema }, async ({ query, headers }, reply) => {
    const keyset = readKeyset(query);
    if (Object.keys(query).length > 0) {
      const { products, hasMore } = await listProducts(db, keyset);
      if (products.length === 0) await refuseCursorAhead(db, "products", keyset);
      return { products, ...describePage(reply, query, keyset, { rows: products, hasMore }) };
    }
    // The tag before the catalogue: an import in between gives an old tag to a new body, which the next request
    // mends; the other way round an old body would keep a current tag.
    const etag = await readCatalogueTag(db);
    reply.header("ETag", etag);
    if (matchesEntityTag(headers["if-none-match"], etag)) return reply.code(304).send();
    const products = await listCatalogue(db);
    return { products, ...describePage(reply, query, keyset, { rows: products, hasMore: false }) };
  });
};
