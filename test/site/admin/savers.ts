import { expect } from "vitest";
import { DRAFTS, EditConflict, readDrafts, saveToDrafts } from "../../../site/admin/drafts.ts";
import { readBlobs, readFile, readLog } from "../../../site/admin/git.ts";
import { ANN, BOB, makeRepository, textOf } from "./repository.ts";

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

/** Lets two editors save one file at the same moment, so many times, and checks what each of them is told. */
export async function expectSecondSaverToBeTold(rounds: number): Promise<void> {
  const path = "content/pages/about.md";
  const repository = await makeRepository({ [path]: "0\n" });
  for (let round = 1; round <= rounds; round++) {
    const id = await idOf(repository, path);
    const texts = [`Ann ${round}\n`, `Bob ${round}\n`] as const;
    const saves = await Promise.allSettled([
      save(repository, path, texts[0], id, ANN),
      save(repository, path, texts[1], id, BOB),
    ]);
    const winner = saves.findIndex(({ status }) => status === "fulfilled");
    expect(await textOf(repository, DRAFTS, path)).toBe(texts[winner]);
    const [conflict] = saves.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(conflict).toBeInstanceOf(EditConflict);
    const [theirs] = await readBlobs(repository, [conflict.files[0].id]);
    expect(theirs?.toString()).toBe(texts[winner]);
  }
  // One commit a round: no save has replaced another one.
  expect(await readLog(repository, DRAFTS, { path })).toHaveLength(rounds + 1);
}
