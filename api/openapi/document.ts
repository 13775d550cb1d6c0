import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";

/**
 * What @fastify/swagger cannot read from the routes. The server and the shop's name are filled in by the site's build,
 * which knows them.
 */
export const documentOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: "3.0.3",
    info: {
      title: "Public resources map",
      version: "1.0.0",
      description:
        "What this shop offers to programs: public resources that anybody may read, and the endpoints from which an approved partner's ERP pulls orders and products. Partner tokens are issued on request; there is no sign-up, no sandbox, no command-line tool and no MCP server.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "https://shop.example" }],
    tags: [
      { name: "Public", description: "Open to everybody, without credentials." },
      { name: "Partner", description: "For approved partners, with the partner token in either of two headers." },
    ],
    components: {
      securitySchemes: {
        EcomApiToken: {
          type: "apiKey",
          in: "header",
          name: "X-Ecom-Api-Token",
          description: "The partner token. When it is sent in Authorization too, both must be right.",
        },
        BearerToken: { type: "http", scheme: "bearer", description: "The same token in the Authorization header." },
      },
    },
    security: [{ EcomApiToken: [] }, { BearerToken: [] }],
  },
  // @fastify/swagger calls every body required; ours, the one of a push, may be left out (see erp/push-body.ts).
  transformObject: (document) => {
    if (!("openapiObject" in document)) return document.swaggerObject;
    for (const path of Object.values(document.openapiObject.paths ?? {})) {
      const body = path?.post?.requestBody;
      if (body && "content" in body) body.required = false;
    }
    return document.openapiObject;
  },
  refResolver: {
    buildLocalReference: ({ $id }, _baseUri, _fragment, index) => (typeof $id === "string" ? $id : `schema-${index}`),
  },
};
