import { createReadStream, existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { z } from "astro/zod";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { parse } from "yaml";
import { bundleCms } from "../cms/bundle.ts";
import { cmsConfig } from "../cms/config.ts";
import { readHints } from "../cms/hints.ts";
import { renderCms } from "../cms/page.ts";
import { openDraftCheck, problemsAbout, problemsWithout } from "../content/draft-check.ts";
import { readDrafts } from "../content/drafts.ts";
import { editorOf, rightsOf, SignedOut } from "../content/editor.ts";
import { readFile, readTree } from "../content/git.ts";
import { Refused } from "../content/refusals.ts";
import { formatNamed } from "../forms/formats.ts";
import { readFile as readForm, Unreadable } from "../forms/writer.ts";
import { forRights, renderProblem } from "../frame/page.ts";
import { inLabels } from "../pages/problems.ts";
import { publicationRoutes } from "../pages/routes.ts";
import { type AdminWords, wordsFor } from "../words.ts";
import { giteaRoutes } from "./gitea.ts";

export interface AdminOptions {
  /** The bare repository with content/. */
  repository: string;
  /** Where the CMS's bundle and the drafts' work tree are kept. */
  folder: string;
  logger?: Exclude<FastifyServerOptions["logger"], undefined>;
}

/** What is served of the CMS's bundle, by ending. */
const ASSET_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

/** The whole admin as a function of its options. It doesn't listen. */
export function buildAdmin({ repository, folder, logger = false }: AdminOptions): FastifyInstance {
  // nginx's, so that a request has one name in all logs.
  const app = Fastify({ logger, requestIdHeader: "x-request-id" });
  const draftCheck = openDraftCheck(repository, folder);
  let bundle: Promise<string> | undefined;

  app.addHook("onRequest", async (request, reply) => {
    reply.header("Cache-Control", "no-store");
    editorOf(request);
  });
  // The header leads to what the editor may open.
  app.addHook("onSend", async (request, reply, payload) =>
    typeof payload === "string" && /^text\/html\b/.test(String(reply.getHeader("content-type")))
      ? forRights(payload, rightsOf(request))
      : payload,
  );
  /** In a page for an editor who has opened one, and as JSON for Sveltia. */
  async function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown) {
    const words = await readWords(repository);
    const [status, message] = describeError(error, words);
    if (status >= 500) request.log.error(error);
    reply.code(status);
    if (!request.headers.accept?.includes("text/html")) return reply.send({ message });
    return reply.type("text/html; charset=utf-8").send(renderProblem(words, message));
  }
  app.setErrorHandler(async (error, request, reply) => sendProblem(request, reply, error));
  app.setNotFoundHandler(async (request, reply) => sendProblem(request, reply, new NotFound()));

  app.get("/admin/cms/", async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(renderCms(await readWords(repository))),
  );
  app.get("/admin/cms/config.json", async () => {
    const locale = await readLocale(repository);
    const words = wordsFor(locale);
    const categories = await readCategories(repository);
    return {
      config: cmsConfig({ words, locale, categories, hints: readHints() }),
      words: { ...words.cms, signed_out: words.problems.signed_out, unreachable: words.waiting.unreachable },
    };
  });
  app.get("/admin/cms/assets/:name", async ({ params }, reply) => {
    const { name } = z.object({ name: z.string() }).parse(params);
    bundle ??= bundleCms(join(folder, "cms"));
    const path = join(await bundle, basename(name));
    const type = ASSET_TYPES[extname(path)];
    if (type === undefined || !existsSync(path)) return reply.code(404).send({ message: `There is no ${name}.` });
    // The script's name stays the same; all others carry the hash of their bytes.
    if (name !== "editor.js") reply.header("Cache-Control", "private, max-age=31536000, immutable");
    return reply.type(type).send(createReadStream(path));
  });

  app.get("/api/admin/problems", async ({ query }) => {
    const Paths = z.union([z.string().transform((path) => [path]), z.array(z.string())]);
    const { path, gone } = z.object({ path: z.string().optional(), gone: Paths.default([]) }).parse(query);
    const findings = await draftCheck.find();
    const { errors, warnings } = findings;
    const about = path === undefined ? [] : problemsAbout(findings, path);
    const named = [...about, ...gone.flatMap((each) => problemsWithout(findings, each))];
    const isAll = path === undefined && gone.length === 0;
    const problems = isAll ? [...errors, ...warnings] : [...new Set(named)];
    const words = await readWords(repository);
    return { problems, labelled: problems.map((problem) => inLabels(words, problem, path)) };
  });
  publicationRoutes(app, {
    repository,
    folder,
    draftCheck,
    readWords: () => readWords(repository),
    readCategories: () => readCategories(repository),
  });
  app.register(async (gitea) => giteaRoutes(gitea, { repository, readWords: () => readWords(repository) }), {
    prefix: "/api/admin",
  });
  return app;
}

class NotFound extends Error {}

/** The status and the sentence for an editor. */
function describeError(error: unknown, words: AdminWords): [number, string] {
  const { problems } = words;
  if (error instanceof NotFound) return [404, problems.not_found];
  if (error instanceof SignedOut) return [401, problems.signed_out];
  if (error instanceof Refused) return [422, error.say(words)];
  if (error instanceof Unreadable) return [422, error.message];
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : undefined;
  if (error instanceof z.ZodError || (status !== undefined && status < 500)) return [status ?? 400, problems.invalid];
  return [503, problems.unavailable];
}

/** The words in the shop's language. */
const readWords = async (repository: string): Promise<AdminWords> => wordsFor(await readLocale(repository));

/** The shop's locale; English while the content can't be read. */
async function readLocale(repository: string): Promise<string> {
  try {
    const store = await readFile(repository, await readDrafts(repository), "content/store.yaml");
    const { locale } = z.object({ locale: z.string() }).parse(parse(store?.bytes.toString() ?? ""));
    return new Intl.Locale(locale).toString();
  } catch {
    return "en";
  }
}

/** The categories in the drafts, in the shop's order, each behind those above it: `Printers › Label printers`. */
async function readCategories(repository: string): Promise<{ slug: string; title: string }[]> {
  const drafts = await readDrafts(repository);
  const tree = await readTree(repository, drafts, "content/categories");
  const read = tree
    .filter(({ path }) => path.endsWith(".md"))
    .map(async ({ path }) => {
      const slug = basename(path, ".md");
      const text = (await readFile(repository, drafts, path))?.bytes.toString() ?? "";
      return { slug, ...readCategory(text) };
    });
  const sorted = (await Promise.all(read)).toSorted((a, b) => a.order - b.order);
  const byParent = Map.groupBy(sorted, ({ parent }) => parent);
  const below = (slug: string | undefined, path: readonly string[]): { slug: string; title: string }[] =>
    (byParent.get(slug) ?? []).flatMap((category) => {
      const titles = [...path, category.title ?? category.slug];
      return [{ slug: category.slug, title: titles.join(" › ") }, ...below(category.slug, titles)];
    });
  const inTree = below(undefined, []);
  // The check names a parent that isn't there, and a circle: nothing leads to these from the top.
  const isInTree = new Set(inTree.map(({ slug }) => slug));
  const others = sorted.filter(({ slug }) => !isInTree.has(slug));
  return [...inTree, ...others.map(({ slug, title = slug }) => ({ slug, title }))];
}

/** What is shown of a category. Drafts may hold any mistake: what is missing or of another type has no title, or comes last. */
const Category = z.object({
  title: z.string().min(1).optional().catch(undefined),
  order: z.number().catch(Number.POSITIVE_INFINITY),
  parent: z.string().min(1).optional().catch(undefined),
});

function readCategory(text: string): z.infer<typeof Category> {
  try {
    return Category.parse(readForm(formatNamed("categories"), text).values);
  } catch (error) {
    if (error instanceof Unreadable) return Category.parse({});
    throw error;
  }
}
