import { z } from "astro/zod";
import type { FastifyInstance } from "fastify";
import { isPicture, pictureMediaType } from "../../content-check/content-files.ts";
import { DRAFTS, EditConflict, readDrafts } from "../content/drafts.ts";
import { editorOf } from "../content/editor.ts";
import { readBlobs, readFile, readLog, readTree } from "../content/git.ts";
import { type FileSave, prepare, save } from "../content/saving.ts";
import type { FormGroup } from "../forms/form.ts";
import { printForm } from "../forms/form-text.ts";
import { formatOf } from "../forms/formats.ts";
import { withOpened } from "../forms/opened.ts";
import { readFile as readForm, Unreadable } from "../forms/writer.ts";
import type { AdminWords } from "../words.ts";

// The routes of Gitea's API that Sveltia uses (https://docs.gitea.com/api), on the drafts. Texts are served as forms; ids
// are those of the files themselves, so that a save names the version it comes from.

const REPOSITORY = "/repos/shop/content";

const Id = z.string().regex(/^[0-9a-f]{40}$/);

const SaveBody = z.object({
  message: z.string().max(2_000),
  files: z
    .array(
      z.object({
        operation: z.enum(["create", "update", "delete"]),
        path: z.string(),
        from_path: z.string().nullish(),
        sha: Id.nullish().or(z.literal("")),
        content: z.base64().default(""),
      }),
    )
    .min(1)
    .max(200),
});

/** A form before it is saved, as Sveltia has it. */
const PrepareBody = z.object({
  path: z.string(),
  isNew: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  shown: z.array(z.tuple([z.string(), z.string()])).max(50),
  choice: z.object({ prefer: z.enum(["theirs", "mine"]), on: Id.nullable() }).optional(),
});

/** A picture that was uploaded may not do in a browser what a page of the shop may. */
const HARMLESS = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface GiteaOptions {
  repository: string;
  readWords(): Promise<AdminWords>;
}

/** Adds the routes to `app`, under its prefix. */
export function giteaRoutes(app: FastifyInstance, { repository, readWords }: GiteaOptions): void {
  /** Where each blob that was listed is, because its form depends on it. */
  const paths = new Map<string, string>();

  async function listFiles(commit: string) {
    const tree = await readTree(repository, commit, "content");
    const files = tree.filter(({ path, mode }) => mode.startsWith("100") && (formatOf(path) || isMedia(path)));
    for (const { id, path } of files) paths.set(id, path);
    return files;
  }

  // From version 11 Sveltia takes it for Forgejo, which reads many blobs at once.
  app.get("/version", () => ({ version: "13.0.0" }));
  app.get("/settings/api", () => ({ default_paging_num: 100 }));
  app.get("/user", (request) => {
    const { name, email } = editorOf(request);
    return { id: email, login: email, full_name: name, email };
  });
  app.get(REPOSITORY, () => ({ default_branch: "drafts", permissions: { pull: true, push: true } }));

  app.get(`${REPOSITORY}/branches/drafts`, async () => {
    const commit = await readDrafts(repository);
    const [last] = await readLog(repository, commit, { limit: 1 });
    return { commit: { id: commit, message: last?.subject ?? "" } };
  });

  app.get(`${REPOSITORY}/git/trees/:commit`, async ({ params }) => {
    const { commit } = z.object({ commit: Id }).parse(params);
    const files = await listFiles(commit);
    return {
      tree: files.map(({ path, id, sizeBytes }) => ({ type: "blob", path, sha: id, size: sizeBytes })),
      truncated: false,
    };
  });

  app.get(`${REPOSITORY}/git/blobs`, async ({ query }) => {
    const { shas } = z
      .object({
        shas: z
          .string()
          .transform((list) => list.split(","))
          .pipe(z.array(Id).max(200)),
      })
      .parse(query);
    if (shas.some((id) => !paths.has(id))) await listFiles(await readDrafts(repository));
    const blobs = await readBlobs(repository, shas);
    return shas.flatMap((sha, index) => {
      const bytes = blobs[index];
      if (bytes === undefined) return [];
      const form = showForm(paths.get(sha), bytes, sha);
      return { sha, encoding: "base64", content: Buffer.from(form).toString("base64") };
    });
  });

  app.get(`${REPOSITORY}/media/drafts/*`, async ({ params }, reply) => {
    const { "*": path } = z.object({ "*": z.string() }).parse(params);
    const file = isMedia(path) ? await readFile(repository, await readDrafts(repository), path) : undefined;
    if (file === undefined) return reply.code(404).send({ message: `There is no ${path}.` });
    reply.header("Content-Security-Policy", HARMLESS).header("X-Content-Type-Options", "nosniff");
    return reply.type(pictureMediaType(path) ?? "application/octet-stream").send(file.bytes);
  });

  app.get(`${REPOSITORY}/commits`, async ({ query }) => {
    const { path } = z.object({ path: z.string() }).parse(query);
    const log = await readLog(repository, await readDrafts(repository), { path, limit: 100 });
    return log.map(({ id, author, authored }) => ({
      sha: id,
      created: authored,
      commit: { author: { ...author, date: authored } },
    }));
  });

  app.post(`${REPOSITORY}/contents`, { bodyLimit: 30_000_000 }, async (request, reply) => {
    const { message, files } = SaveBody.parse(request.body);
    const saves = files.map(
      ({ operation, path, from_path, sha, content }): FileSave => ({
        operation,
        path,
        from: from_path ?? undefined,
        base: sha || undefined,
        content: Buffer.from(content, "base64"),
      }),
    );
    try {
      const commit = await save(repository, saves, { author: editorOf(request), message: message.trim() || "Edit" });
      const saved = new Map((await listFiles(commit)).map(({ path, id }) => [path, id]));
      return reply.code(201).send({
        commit: { sha: commit, created: new Date().toISOString() },
        files: files.map(({ path }) => (saved.has(path) ? { path, sha: saved.get(path) } : null)),
      });
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      return reply.code(409).send(await describeConflict(error, saves));
    }
  });

  // Sveltia's own check before a save knows no fields: here it is asked what the form will be with what others have saved.
  app.post("/forms", { bodyLimit: 30_000_000 }, async (request, reply) => {
    const { path, isNew, data, shown, choice } = PrepareBody.parse(request.body);
    const { body, ...values } = data as FormGroup;
    const form = { values, body: String(body ?? "").trim() };
    try {
      const prepared = await prepare(repository, { path, isNew, form, shown: new Map(shown), choice });
      return { data: { ...prepared.values, ...(formatOf(path)?.body !== "none" && { body: prepared.body }) } };
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      return reply.code(409).send(await describeClashes(error));
    }
  });

  /** Who was faster, and in one file what both have changed. */
  async function describeClashes({ files, clashes }: EditConflict, isDeletion = false) {
    const [first] = files;
    const [last] = first ? await readLog(repository, DRAFTS, { path: first.path, limit: 1 }) : [];
    const { problems, cms } = await readWords();
    const [name, file] = [last?.author.name ?? "?", first?.path ?? "?"];
    const labels: Readonly<Record<string, string>> = cms.fields;
    const both = clashes.map(({ place, theirs, mine }) => ({
      label: place.map((part) => labels[part] ?? part).join(" › "),
      theirs: theirs || cms.clash.nothing,
      mine: mine || cms.clash.nothing,
    }));
    const lines = both.map(({ label, theirs, mine }) => cms.clash.line({ label, name, theirs, mine }));
    const isGone = first !== undefined && first.id === undefined;
    const message = isGone
      ? problems.gone({ name, file })
      : both.length === 0
        ? problems[isDeletion ? "not_deleted" : "conflict"]({ name, file })
        : [problems.clash({ name, file }), ...lines].join("\n");
    const { heading, hint, theirs, mine, keep_theirs, keep_mine, restore, back } = cms.clash;
    const dialog = {
      heading: isGone ? problems.gone({ name, file }) : heading({ name }),
      hint: isGone ? "" : hint,
      clashes: both,
      columns: { theirs: theirs({ name }), mine },
      answers: isGone ? { mine: restore } : { mine: keep_mine, theirs: keep_theirs({ name }) },
      back,
    };
    return { message, on: first?.id ?? null, clashes: both, ...((isGone || both.length > 0) && { dialog }) };
  }

  /** The same, with both versions of all files. */
  async function describeConflict(error: EditConflict, saves: readonly FileSave[]) {
    const versions = error.files.map(async ({ path, id }) => {
      const [theirs] = id === undefined ? [] : await readBlobs(repository, [id]);
      const yours = saves.find((each) => (each.from ?? each.path) === path || each.path === path)?.content;
      const show = (bytes: Buffer | undefined) => (formatOf(path) ? bytes?.toString() : undefined);
      return { path, yours: show(yours), theirs: theirs && formatOf(path) && showForm(path, theirs, id) };
    });
    const isDeletion = saves.every(({ operation }) => operation === "delete");
    const { message, clashes } = await describeClashes(error, isDeletion);
    return { message, clashes, files: await Promise.all(versions) };
  }
}

const isMedia = (path: string): boolean => isPicture(path) || formatOf(path) === undefined;

/** A file as its form, or as it is where it can't be read: Sveltia then names it. */
function showForm(path: string | undefined, bytes: Buffer, id: string | undefined): string {
  const text = bytes.toString();
  const format = path === undefined ? undefined : formatOf(path);
  if (path === undefined || format === undefined) return text;
  try {
    const form = readForm(format, text);
    return printForm(format, id === undefined ? form : withOpened(form, { id, on: id, path }));
  } catch (error) {
    if (error instanceof Unreadable) return text;
    throw error;
  }
}
