import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MAIN } from "../../../site/admin/drafts.ts";
import { initRepository, moveRef, readFile, writeCommit, writeTree } from "../../../site/admin/git.ts";

export const ANN = { name: "Ann Änderung", email: "ann@shop.example" };
export const BOB = { name: "Bob", email: "bob@shop.example" };

/** Git's empty tree, which every repository has. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Makes a bare repository with these files on main; the test removes it when it ends. */
export async function makeRepository(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-repository-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, "content.git");
  await initRepository(repository);
  await commitToMain(repository, files, undefined);
  return repository;
}

/** Commits files to main as a developer does; returns the commit. */
export async function commitToMain(
  repository: string,
  files: Record<string, string | Uint8Array | null>,
  parent: string | undefined,
): Promise<string> {
  const changes = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: content === null ? null : Buffer.from(content),
  }));
  const tree = await writeTree(repository, parent ?? EMPTY_TREE, changes);
  const parents = parent === undefined ? [] : [parent];
  const author = { name: "Dev", email: "dev@shop.example" };
  const commit = await writeCommit(repository, { tree, parents, author, message: "A developer's change" });
  await moveRef(repository, MAIN, commit, parent);
  return commit;
}

/** A file's text in a commit or branch; undefined where there isn't one. */
export const textOf = async (repository: string, commit: string, path: string): Promise<string | undefined> =>
  (await readFile(repository, commit, path))?.bytes.toString();

/** A shop's folder as files of a repository, below content/. */
export function filesOf(shop: string): Record<string, Buffer> {
  const entries = readdirSync(shop, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [join("content", path.slice(shop.length + 1)), readFileSync(path)];
    }),
  );
}
