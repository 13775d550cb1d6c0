import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { extname } from "node:path";
import { z } from "astro/zod";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readAmount } from "../../../api/contract/money.ts";
import { pictureMediaType } from "../../content-check/content-files.ts";
import { type DraftCheck, problemsAbout } from "../content/draft-check.ts";
import { DRAFTS, EditConflict, MAIN, readDrafts } from "../content/drafts.ts";
import { editorOf, rightsOf } from "../content/editor.ts";
import { moveRef, type Person, RefMoved, readCommit } from "../content/git.ts";
import { readMoney, readOwned } from "../content/typed.ts";
import {
  findChanges,
  readEdits,
  readPublished,
  Unpublishable,
  writeDiscard,
  writePublication,
  writeResolution,
  writeRevert,
} from "../publication/changes.ts";
import { readDifferences } from "../publication/differences.ts";
import { readHistory, readPublication } from "../publication/history.ts";
import { openPreviews, Unrenderable } from "../publication/preview.ts";
import { readPrices, readTypedPrices, savePrices } from "../publication/prices.ts";
import { type Failure, readProgress, readRequest, requestPublication } from "../publication/request.ts";
import { Mistaken } from "../publication/without-mistakes.ts";
import type { AdminWords } from "../words.ts";
import { renderHistory, renderPublication } from "./history-page.ts";
import { renderPreview, renderUnrenderable } from "./preview-page.ts";
import { type PricesView, readEntered, renderPrices, renderReading } from "./prices-page.ts";
import { renderPublish } from "./publish-page.ts";

export interface PublicationOptions {
  repository: string;
  /** Where previews keep their files. */
  folder: string;
  draftCheck: DraftCheck;
  readWords(): Promise<AdminWords>;
  readCategories(): Promise<{ slug: string; title: string }[]>;
}

/** A table of all versions of a large category. */
const MOST_FORM_BYTES = 8_000_000;

const commitId = z.string().regex(/^[0-9a-f]{40}$/);

/** The pages that publish: differences, history, prices and previews. */
export function publicationRoutes(
  app: FastifyInstance,
  { repository, folder, draftCheck, readWords, readCategories }: PublicationOptions,
): void {
  const previews = openPreviews(repository, folder, draftCheck);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: MOST_FORM_BYTES },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const formOf = (body: unknown) => (body instanceof URLSearchParams ? body : new URLSearchParams());
  const sendPage = (reply: FastifyReply, page: string, status = 200) =>
    reply.code(status).type("text/html; charset=utf-8").send(page);

  const mayShopOf = (request: FastifyRequest) => rightsOf(request).has("shop");

  async function sendPublish(editor: Person, reply: FastifyReply, problem?: string | Failure) {
    const mayShop = mayShopOf(reply.request);
    const [words, drafts] = await Promise.all([readWords(), readDrafts(repository)]);
    const request = readRequest(repository);
    const progress = readProgress(repository);
    // What is being published is looked at by the build; nobody reads these meanwhile.
    const [{ files, tree }, findings] = request
      ? [
          { files: [], tree: drafts },
          { errors: [], warnings: [] },
        ]
      : await Promise.all([findChanges(repository, MAIN, drafts), draftCheck.find()]);
    const conflicts = files.filter(({ isConflict }) => isConflict);
    const differences = request ? new Map() : await readDifferences(repository, MAIN, tree);
    // Merged, they would show Git's marks instead of the two versions.
    const versions = conflicts.length > 0 ? await readDifferences(repository, MAIN, drafts) : new Map();
    for (const { path } of conflicts) differences.set(path, versions.get(path) ?? []);
    const edits = request ? new Map() : await readEdits(repository, MAIN, drafts);
    const own = request && progress?.id !== request.id ? undefined : progress;
    const view = { words, editor, mayShop, drafts, files, edits, differences, findings, request, progress: own };
    return sendPage(reply, renderPublish({ ...view, ...(problem ? { problem } : {}) }), problem ? 409 : 200);
  }

  app.get("/admin/publish", async (request, reply) => sendPublish(editorOf(request), reply));

  app.post("/admin/publish", async (request, reply) => {
    const { publish } = await readWords();
    const [editor, form] = [editorOf(request), formOf(request.body)];
    const mayShop = mayShopOf(request);
    const ask = (drafts: string, files: string[]) =>
      requestPublication(repository, { id: randomUUID(), editor, drafts, files, mayShop })
        ? reply.redirect("/admin/publish", 303)
        : sendPublish(editor, reply, publish.busy);
    // What is in main already, but couldn't be shown.
    if (form.has("again")) return ask(await readDrafts(repository), []);
    const drafts = commitId.parse(form.get("drafts"));
    const files = form.getAll("file");
    if (files.length === 0) return sendPublish(editor, reply, publish.none);
    if (drafts !== (await readDrafts(repository))) return sendPublish(editor, reply, publish.moved);
    try {
      // Of what would be live, since other drafts may cause or hide a mistake.
      const main = (await readCommit(repository, MAIN)) ?? "";
      const chosen = { drafts, files, editor, mayShop };
      const { errors } = await draftCheck.find(await writePublication(repository, main, chosen));
      if (errors.length > 0) return sendPublish(editor, reply, { reason: "mistakes", items: errors });
    } catch (error) {
      if (!(error instanceof Unpublishable)) throw error;
      return sendPublish(editor, reply, { reason: error.reason, items: error.files });
    }
    return ask(drafts, files);
  });

  app.post("/admin/publish/discard", async (request, reply) => {
    const [editor, form] = [editorOf(request), formOf(request.body)];
    const drafts = commitId.parse(form.get("drafts"));
    const path = z.string().parse(form.get("path"));
    return moveDrafts(editor, reply, drafts, async (main) => writeDiscard(repository, main, { drafts, path, editor }));
  });

  app.post("/admin/publish/conflicts", async (request, reply) => {
    const [editor, form] = [editorOf(request), formOf(request.body)];
    const drafts = commitId.parse(form.get("drafts"));
    const kept = new Map(
      [...form]
        .filter(([name]) => name.startsWith("keep:"))
        .map(([name, side]) => [name.slice("keep:".length), side === "draft" ? drafts : MAIN]),
    );
    return moveDrafts(editor, reply, drafts, async (main) =>
      writeResolution(repository, main, { drafts, kept, editor }),
    );
  });

  /** Moves the drafts to a commit that is made of them as the editor saw them, and shows what would now be published. */
  async function moveDrafts(
    editor: Person,
    reply: FastifyReply,
    drafts: string,
    write: (main: string) => Promise<string>,
  ) {
    const main = (await readCommit(repository, MAIN)) ?? "";
    try {
      await moveRef(repository, DRAFTS, await write(main), drafts);
      return reply.redirect("/admin/publish", 303);
    } catch (error) {
      if (error instanceof RefMoved) return sendPublish(editor, reply, (await readWords()).publish.moved);
      if (error instanceof Unpublishable)
        return sendPublish(editor, reply, { reason: error.reason, items: error.files });
      throw error;
    }
  }

  app.get("/admin/history", async (_request, reply) =>
    sendPage(reply, renderHistory(await readWords(), await readHistory(repository))),
  );

  app.get("/admin/history/:id", async (request, reply) => {
    const { id } = z.object({ id: commitId }).parse(request.params);
    const publication = await readPublication(repository, id);
    if (publication === undefined) return reply.callNotFound();
    const [files, differences] = await Promise.all([
      readPublished(repository, id),
      readDifferences(repository, `${id}^1`, id),
    ]);
    return sendPage(reply, renderPublication(await readWords(), publication, files, differences));
  });

  app.post("/admin/history/:id/revert", async (request, reply) => {
    const { id } = z.object({ id: commitId }).parse(request.params);
    if ((await readPublication(repository, id)) === undefined) return reply.callNotFound();
    const drafts = await readDrafts(repository);
    const [editor, path] = [editorOf(request), formOf(request.body).get("path") ?? undefined];
    return moveDrafts(editor, reply, drafts, () => writeRevert(repository, drafts, { commit: id, path, editor }));
  });

  async function sendPrices(reply: FastifyReply, query: unknown, shown: Partial<PricesView> = {}) {
    const [words, categories, money, owned] = await Promise.all([
      ...([readWords(), readCategories()] as const),
      ...([readMoney(repository), readOwned(repository)] as const),
    ]);
    const { category = categories[0]?.slug ?? "" } = z.object({ category: z.string().optional() }).parse(query);
    if (!categories.some(({ slug }) => slug === category)) return reply.callNotFound();
    const table = await readPrices(repository, category);
    const status = shown.notice?.kind === "bad" ? 409 : shown.read?.unclear.size ? 422 : 200;
    return sendPage(reply, renderPrices({ words, categories, category, table, money, owned, ...shown }), status);
  }

  app.get("/admin/prices", async ({ query }, reply) => sendPrices(reply, query));

  // What a price that is being typed means, for prices.js.
  app.get("/admin/prices/amount", async ({ query }, reply) => {
    const { name, typed } = z.object({ name: z.string(), typed: z.string().trim() }).parse(query);
    const [words, money] = await Promise.all([readWords(), readMoney(repository)]);
    if (money === undefined || typed === "") return reply.send({ html: "" });
    const amounts = readAmount(typed, money.currency);
    const html = renderReading(words, name, typed, money).text;
    return reply.send({ ...(amounts.length === 1 && { amount: amounts[0] }), html });
  });

  app.post("/admin/prices", async (request, reply) => {
    const { prices } = await readWords();
    const entered = readEntered(formOf(request.body));
    const bases = new Map(
      [...entered].filter(([name]) => name.startsWith("base:")).map(([name, id]) => [name.slice("base:".length), id]),
    );
    // The page has no fields for these; one that was opened before may.
    const owned = (await readOwned(repository)).map((column) => `${column}:`);
    const kept = new Map([...entered].filter(([name]) => !owned.some((column) => name.startsWith(column))));
    if (kept.size < entered.size)
      return sendPrices(reply, request.query, {
        entered: kept,
        notice: { kind: "bad", text: prices.owned_refused },
      });
    try {
      const money = await readMoney(repository);
      const read = money && (await readTypedPrices(repository, entered, bases, money));
      if (read && read.stored.size + read.unclear.size > 0) {
        const meant = new Map([...entered, ...read.stored]);
        return await sendPrices(reply, request.query, { entered: meant, read });
      }
      const files = await savePrices(repository, entered, bases, editorOf(request));
      if (files.length === 0)
        return await sendPrices(reply, request.query, { notice: { kind: "good", text: prices.unchanged } });
      const text = prices.saved({ files: files.join(", ") });
      // It is saved, whatever becomes of the check, which the page to publish makes again.
      const findings = await draftCheck.find().catch((error: unknown) => {
        request.log.error(error);
        return { errors: [], warnings: [] };
      });
      const problems = [...new Set(files.flatMap((path) => problemsAbout(findings, path)))];
      const kind = problems.length > 0 ? "wait" : "good";
      return await sendPrices(reply, request.query, { notice: { kind, text, problems } });
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      const text = prices.conflict({ files: error.files.map(({ path }) => path).join(", ") });
      return sendPrices(reply, request.query, { entered, notice: { kind: "bad", text } });
    }
  });

  const pathOf = (params: unknown) => `/${z.object({ "*": z.string() }).parse(params)["*"]}`;

  app.get("/admin/preview/*", async ({ params, id, log }, reply) => {
    const [words, pathname] = [await readWords(), pathOf(params)];
    try {
      const preview = await previews.render(pathname);
      return preview ? await sendPage(reply, renderPreview(words, pathname, preview)) : reply.callNotFound();
    } catch (error) {
      if (error instanceof Mistaken) return sendPage(reply, renderUnrenderable(words, pathname, error), 422);
      if (!(error instanceof Unrenderable)) throw error;
      log.error(error, "A preview failed.");
      return sendPage(reply, renderUnrenderable(words, pathname, { reference: id.slice(0, 8) }), 503);
    }
  });

  app.get("/admin/preview-face/*", async ({ params }, reply) => {
    const preview = await previews.render(pathOf(params));
    if (preview === undefined) return reply.callNotFound();
    const face = preview.html.replaceAll('"/_astro/', '"/admin/preview-file/');
    // Links would open windows, which the frame's sandbox forbids: so they do nothing, instead of replacing the page.
    return sendPage(reply, face.replace("<head>", '<head><base target="_blank">'));
  });

  app.get("/admin/preview-file/:name", async (request, reply) => {
    const { name } = z.object({ name: z.string() }).parse(request.params);
    const file = previews.fileOf(name);
    // What the last publication has made too is live.
    if (file === undefined) return reply.redirect(`/_astro/${encodeURIComponent(name)}`);
    const type = extname(name) === ".css" ? "text/css" : pictureMediaType(name);
    return reply.type(type ?? "application/octet-stream").send(createReadStream(file));
  });
}
