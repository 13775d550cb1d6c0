import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { RIGHTS } from "../../../api/contract/staff-rights.ts";
import { parseForm, printForm } from "../../../site/admin/forms/form-text.ts";
import { formatOf } from "../../../site/admin/forms/formats.ts";
import type { FileForm, FileFormat } from "../../../site/admin/forms/writer.ts";
import { buildAdmin } from "../../../site/admin/server/app.ts";
import { shops } from "../../workspace.ts";
import { ANN, filesOf, makeRepository, type WhenDone } from "./repository.ts";

interface FileOfSave {
  operation: "create" | "update" | "delete";
  path: string;
  sha?: string | undefined;
  from_path?: string;
  content?: string;
}

interface AdminOptions {
  /** By default, the demo shop's. */
  files?: Record<string, string | Uint8Array>;
  /** A folder with the CMS's bundle. */
  bundle?: string;
}

/** The admin with a repository of its own, until the test ends or `whenDone` says so. */
export async function openAdmin(
  { files = filesOf(shops.demo), bundle }: AdminOptions = {},
  whenDone: WhenDone = onTestFinished,
) {
  const repository = await makeRepository(files, whenDone);
  const folder = mkdtempSync(join(tmpdir(), "twinfront-admin-"));
  if (bundle !== undefined) symlinkSync(bundle, join(folder, "cms"));
  const app = buildAdmin({ repository, folder });
  whenDone(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const editor = ({ name, email }: { name: string; email: string }, rights = RIGHTS.join()) => ({
    "editor-name": encodeURIComponent(name),
    "editor-email": encodeURIComponent(email),
    "editor-rights": rights,
  });
  const get = async (url: string, headers: Record<string, string> = editor(ANN)) => app.inject({ url, headers });
  const api = "/api/admin/repos/shop/content";
  const list = async (): Promise<{ path: string; sha: string }[]> => {
    const { commit } = (await get(`${api}/branches/drafts`)).json();
    return (await get(`${api}/git/trees/${commit.id}?recursive=1&page=1`)).json().tree;
  };
  const find = async (path: string) => (await list()).find((file) => file.path === path)?.sha;
  return {
    app,
    editor,
    repository,
    get,
    list,
    find,
    /** A file as the browser has it: its id and its form. */
    async open(path: string): Promise<{ sha: string; form: FileForm; format: FileFormat }> {
      const sha = await find(path);
      const format = formatOf(path);
      if (sha === undefined || format === undefined) throw new Error(`no ${path}`);
      const [blob] = (await get(`${api}/git/blobs?shas=${sha}`)).json();
      return { sha, format, form: parseForm(format, Buffer.from(blob.content, "base64").toString()) };
    },
    save: (files: readonly FileOfSave[], by = ANN) =>
      app.inject({ method: "POST", url: `${api}/contents`, headers: editor(by), payload: { message: "Edit", files } }),
  };
}

/** A form as the browser sends it. */
export const send = (format: FileFormat, form: FileForm): string => base64(printForm(format, form));

export const base64 = (content: string | Uint8Array): string => Buffer.from(content).toString("base64");
