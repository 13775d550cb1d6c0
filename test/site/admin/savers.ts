import { readDrafts, saveToDrafts } from "../../../site/admin/content/drafts.ts";
import { readFile } from "../../../site/admin/content/git.ts";
import { ANN } from "./repository.ts";

/** Saves one file as an editor who saw the blob `id` there; null deletes it. */
export function save(
  repository: string,
  path: string,
  text: string | null,
  id: string | undefined,
  author = ANN,
): Promise<string> {
  const changes = [{ path, bytes: text === null ? null : Buffer.from(text) }];
  return saveToDrafts(repository, { changes, seen: [{ path, id }], author, message: `Change ${path}` });
}

/** The blob that an editor sees at a path. */
export const idOf = async (repository: string, path: string): Promise<string | undefined> =>
  (await readFile(repository, await readDrafts(repository), path))?.id;
