import type { FastifyPluginAsync } from "fastify";
import { isSlug, SKU } from "../../contract/patterns.ts";
import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { Builds } from "../../platform/private-pages/builds.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import type { Templates } from "../../platform/private-pages/templates.ts";
import { findVariants } from "../../selling/catalogue/variants.ts";
import { choiceFault } from "./choice-fault.ts";
import { chooseInPage, putAboveForm } from "./choose-in-page.ts";
import { type Chosen, chooseVersion, readChosen } from "./choose-version.ts";
import { type Fault, fault, versionFault } from "./views.ts";

interface Options {
  db: Db;
  builds: Builds;
  templates: Templates;
}

/**
 * GET /products/{slug}?sku=: the page of the build with that version chosen; with `o1` to `o3`, a redirect to that address.
 * It sets no cookie. Anything in the address is answered; nginx has the page without a version, the Markdown, and the page
 * in place of every error (nginx/conf/version.conf).
 */
export const productPageRoutes: FastifyPluginAsync<Options> = async (app, { db, builds, templates }) => {
  app.get<{ Params: { slug: string } }>("/:slug", { schema: { hide: true } }, async (request, reply) => {
    const { slug } = request.params;
    const html = isSlug(slug) ? await readPage(builds, `/products/${slug}`) : undefined;
    if (html === undefined) throw new PageProblem("not-found");
    const { path, chosen, fault } = await readAddress(db, slug, request.url);
    reply.header("Cache-Control", "no-cache");
    if (path !== undefined) return reply.redirect(path, 303);
    const page = chooseInPage(html, chosen);
    const piece = fault && (await templates.render(versionFault, { fault }));
    return reply.type("text/html; charset=utf-8").send(piece === undefined ? page : putAboveForm(page, piece));
  });
};

interface Address {
  /** Where it leads. */
  path?: string;
  /** What is chosen in the page. */
  chosen: Chosen;
  /** Why that isn't a version. */
  fault?: Fault;
}

const NOTHING: Chosen = [undefined, undefined, undefined];

/** Of a parameter that is there twice, the first counts, as in nginx. */
async function readAddress(db: Db, slug: string, url: string): Promise<Address> {
  const query = new URLSearchParams(url.split("?").slice(1).join("?"));
  const sku = query.get("sku");
  if (sku !== null) return readSku(db, slug, sku);
  // nginx leads `SKU=` here too.
  if (["o1", "o2", "o3"].every((name) => !query.has(name))) return { chosen: NOTHING };
  const read = (name: string) => query.get(name) ?? undefined;
  const chosen = readChosen({ o1: read("o1"), o2: read("o2"), o3: read("o3") });
  const choice = await chooseVersion(db, slug, chosen);
  if (choice === undefined) return { chosen: NOTHING };
  const { variant, options } = choice;
  const [o1, o2, o3] = options.map(({ value }) => value);
  if (variant === undefined || variant.availability === "archived")
    return { chosen: [o1, o2, o3], fault: choiceFault(choice) };
  return { path: variant.path, chosen: NOTHING };
}

async function readSku(db: Db, slug: string, sku: string): Promise<Address> {
  const variant = new RegExp(SKU).test(sku) ? (await findVariants(db, [sku])).get(sku) : undefined;
  const isOwn = variant?.path.split("?", 1)[0] === encodeURI(`/products/${slug}`);
  if (!variant || !isOwn || variant.availability === "archived") return { chosen: NOTHING, fault: fault("not_found") };
  const [o1, o2, o3] = (variant.options ? readJson(variant.options) : []).map(([, value]) => value);
  return { chosen: [o1, o2, o3] };
}

/** Throws PageProblem("unavailable") if there is no build that can be read. */
async function readPage(builds: Builds, path: string): Promise<string | undefined> {
  try {
    return await (await builds(undefined)).readPage(path);
  } catch (cause) {
    throw new PageProblem("unavailable", { cause });
  }
}
