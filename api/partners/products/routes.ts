import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { SKU } from "../../contract/patterns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { cursorAhead, describePage, pageFields, pageParameters, readKeyset } from "../../platform/http/paging.ts";
import {
  conditionalRequest,
  entityTagHeader,
  linkHeader,
  matchesEntityTag,
  notModified,
  partnerHeaders,
} from "../../platform/http/partner-headers.ts";
import { partnerProblems } from "../../platform/http/problem-schema.ts";
import { reference } from "../../platform/http/schema-types.ts";
import { listCatalogue, listProducts, readCatalogueTag } from "../../selling/catalogue/queries.ts";
import { Product } from "../../selling/catalogue/schema.ts";

const listSchema = {
  operationId: "listProducts",
  tags: ["Partner"],
  summary: "List products",
  description:
    "Without parameters, the whole catalogue with an ETag. With `limit`, `since_id` or `changed_after`, a page of it, as for orders; with `sku`, the product that has it, or an empty page. Products removed from the catalogue stay in the list as `archived`.",
  headers: conditionalRequest,
  querystring: Type.Object(
    {
      ...pageParameters,
      sku: Type.Optional(
        Type.String({
          pattern: SKU,
          maxLength: 64,
          title: "Write a SKU: 1 to 64 visible ASCII characters.",
          description: "Only the product that has a variant with this SKU.",
          example: "TAV-PIP-2D",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        products: Type.Array(reference("Product", Product), { description: "The catalogue, or a page of it." }),
        ...pageFields,
      },
      {
        description: "Products. The ETag is only on the whole catalogue, the Link only on a page.",
        headers: { ...partnerHeaders, ...entityTagHeader, ...linkHeader },
      },
    ),
    304: notModified,
    ...cursorAhead,
    ...partnerProblems,
  },
};

/** GET /api/products. */
export const productRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  app.get("", { schema: listSchema }, async ({ query, headers }, reply) => {
    if (Object.keys(query).length > 0) {
      const keyset = await readKeyset(db, "products", query);
      const { products, hasMore } = await listProducts(db, keyset, query.sku);
      return { products, ...describePage(reply, query, keyset, { rows: products, hasMore }) };
    }
    // The tag is read before the catalogue: an import in between gives a new body an old tag, which the next request
    // corrects. In reverse, an old body would keep a current tag.
    const etag = await readCatalogueTag(db);
    reply.header("ETag", etag);
    if (matchesEntityTag(headers["if-none-match"], etag)) return reply.code(304).send();
    const products = await listCatalogue(db);
    return { products, ...describePage(reply, query, { column: "id", after: 0 }, { rows: products, hasMore: false }) };
  });
};
