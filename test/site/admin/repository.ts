import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { onTestFinished } from "vitest";
import { MAIN } from "../../../site/admin/content/drafts.ts";
import { git, initRepository, moveRef, readFile, writeCommit, writeTree } from "../../../site/admin/content/git.ts";
import { shops } from "../../workspace.ts";

export const ANN = { name: "Ann Änderung", email: "ann@shop.example" };
export const BOB = { name: "Bob", email: "bob@shop.example" };

/** Puts off until later what removes something. */
export type WhenDone = (undo: () => void) => void;

/** Makes a bare repository with these files on main, which goes when the test ends, or when `whenDone` says so. */
export async function makeRepository(
  files: Record<string, string | Uint8Array>,
  whenDone: WhenDone = onTestFinished,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-repository-"));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, "content.git");
  await initRepository(repository);
  await git(repository, ["fast-import", "--quiet"], { input: importOf(files) });
  return repository;
}

/** A first commit of all files for `git fast-import`, which is quicker than plumbing. */
function importOf(files: Record<string, string | Uint8Array>): Buffer {
  const written = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
  });
  const start = `commit ${MAIN}\ncommitter Dev <dev@shop.example> 1700000000 +0000\ndata 5\nFirst\n`;
  return Buffer.concat([Buffer.from(start), ...written]);
}

/** Commits files to main as a developer does; returns the commit. */
export async function commitToMain(
  repository: string,
  files: Record<string, string | Uint8Array | null>,
  parent: string,
): Promise<string> {
  const changes = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: content === null ? null : Buffer.from(content),
  }));
  const tree = await writeTree(repository, parent, changes);
  const author = { name: "Dev", email: "dev@shop.example" };
  const commit = await writeCommit(repository, { tree, parents: [parent], author, message: "A developer's change" });
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

const PRODUCTS = "content/products/";

/**
 * The demo shop's files with these products, as `category/slug`, and those that they name: an admin reads, and checks after
 * each save, all that there are.
 */
export function demoShopWith(...products: readonly string[]): Record<string, Buffer> {
  const files = Object.entries(filesOf(shops.demo));
  const chosen = products.map((product) => `${PRODUCTS}${product}.md`);
  const texts = files.flatMap(([path, bytes]) => (chosen.includes(path) ? [path, `${bytes}`] : [])).join("\n");
  return Object.fromEntries(files.filter(([path]) => !path.startsWith(PRODUCTS) || texts.includes(parse(path).name)));
}
