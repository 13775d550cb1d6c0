import { pages } from "../../../../api/people/pages.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { servePages } from "../../../../api/platform/private-pages/scope.ts";
import {
  afterOpening,
  findSession,
  openSession,
  requireCookie,
} from "../../../../api/platform/private-pages/session.ts";
import { openTemplates } from "../../../../api/platform/private-pages/templates.ts";
import { startApi } from "../../api.ts";
import { buildTemplates, makeCustomer } from "./pages.ts";

const form = {
  type: "object",
  properties: { sku: { type: "string" } },
  required: ["sku"],
  additionalProperties: false,
};

/**
 * An API whose only private pages are a form and what follows it: `POST /cart/lines` with `sku` opens a session, and
 * `GET /cart` answers the session's id or "none".
 */
export async function startOneForm(logger?: Parameters<typeof startApi>[0]) {
  const { app, db } = await startApi(logger);
  const templates = openTemplates({ builds: openBuilds(await buildTemplates()), pages, log: app.log });
  app.register(async (people) => {
    servePages(people, templates);
    people.post("/cart/lines", { schema: { body: form } }, async (request, reply) => {
      await openSession(db, request, reply);
      return reply.redirect(afterOpening(request, "/cart"), 303);
    });
    people.get<{ Querystring: { opened?: string } }>("/cart", async (request, reply) => {
      requireCookie(request, request.query);
      return reply.send(String((await findSession(db, request)) ?? "none"));
    });
    people.get("/cart/broken", async () => {
      throw new Error("The password is sesame.");
    });
  });
  return { app, db, customer: (origin?: string) => makeCustomer(app, origin) };
}
