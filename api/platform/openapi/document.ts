import type { FastifyDynamicSwaggerOptions } from "@fastify/swagger";

/** What @fastify/swagger can't read from the routes. The site's build fills in the server and the shop's name. */
export const documentOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: "3.0.3",
    info: {
      title: "Public resources map",
      version: "1.0.0",
      description:
        "This shop's public resources, which anyone may read, and the endpoints from which an approved partner's ERP pulls orders and products. Partner tokens are issued on request; there is no sign-up, no sandbox, no command-line tool and no MCP server.",
      contact: { name: "For developers and partners", url: "https://shop.example/developers" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "https://shop.example" }],
    tags: [
      { name: "Public", description: "Open to everyone, without credentials." },
      { name: "Partner", description: "For approved partners, with the partner token in either of two headers." },
    ],
    components: {
      securitySchemes: {
        EcomApiToken: {
          type: "apiKey",
          in: "header",
          name: "X-Ecom-Api-Token",
          description: "The partner token. If Authorization is sent too, both must be valid.",
        },
        BearerToken: { type: "http", scheme: "bearer", description: "The same token in the Authorization header." },
      },
    },
    security: [{ EcomApiToken: [] }, { BearerToken: [] }],
  },
  // @fastify/swagger marks every body as required; one without required fields is optional (acceptOptionalJson).
  transformObject: (document) => {
    if (!("openapiObject" in document)) return document.swaggerObject;
    for (const path of Object.values(document.openapiObject.paths ?? {})) {
      for (const body of [path?.post?.requestBody, path?.patch?.requestBody]) {
        if (!body || !("content" in body)) continue;
        const schema = body.content["application/json"]?.schema;
        body.required = schema !== undefined && "required" in schema;
      }
    }
    return document.openapiObject;
  },
  refResolver: {
    buildLocalReference: ({ $id }, _baseUri, _fragment, index) => (typeof $id === "string" ? $id : `schema-${index}`),
  },
};
