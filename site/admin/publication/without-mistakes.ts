import { type DraftCheck, isAbout } from "../content/draft-check.ts";
import { MAIN } from "../content/drafts.ts";
import { readCommit, SHOP, writeCommit, writeTree } from "../content/git.ts";
import { formatOf } from "../forms/formats.ts";
import { type ChangedFile, findChanges, readFormer } from "./changes.ts";

/** A commit that a build accepts, made of drafts. */
export interface Buildable {
  commit: string;
  /** The files that are as they are live, because their drafts have mistakes. */
  leftOut: readonly string[];
}

/** With the file that was asked for alone, the check still finds these mistakes. */
export class Mistaken extends Error {
  override name = "Mistaken";
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
  }
}

/**
 * The drafts without the files that have mistakes, since nobody's mistake is to hinder another's preview. A mistake can be told
 * of a file that nobody has changed, such as one that links to a deleted page; then, what is live with the one file that
 * `isWanted` and with all pictures and documents. Throws Mistaken where that has mistakes too.
 */
export async function withoutMistakes(
  repository: string,
  draftCheck: DraftCheck,
  drafts: string,
  isWanted: (file: ChangedFile) => boolean,
): Promise<Buildable> {
  const main = (await readCommit(repository, MAIN)) ?? "";
  let others: ChangedFile[] | undefined;
  let leftOut: ChangedFile[] = [];
  let isAlone = false;
  for (let commit = drafts; ; commit = await leaveOut(repository, { main, drafts, files: leftOut })) {
    const { errors } = await draftCheck.find(commit);
    if (errors.length === 0) return { commit, leftOut: leftOut.map(({ path }) => path) };
    if (isAlone) throw new Mistaken(errors);
    others ??= (await findChanges(repository, main, drafts)).files.filter((file) => !isWanted(file));
    const [before, rest] = [leftOut, others.filter((file) => !leftOut.includes(file))];
    const mistaken = rest.filter((file) => errors.some((problem) => isAbout(problem, file.path)));
    isAlone = mistaken.length === 0;
    leftOut = [...before, ...(isAlone ? rest.filter(({ path }) => formatOf(path)) : mistaken)];
  }
}

/** A commit of the drafts in which some files are as they are live. */
async function leaveOut(
  repository: string,
  { main, drafts, files }: { main: string; drafts: string; files: readonly ChangedFile[] },
): Promise<string> {
  const tree = await writeTree(repository, drafts, await readFormer(repository, main, files));
  return writeCommit(repository, { tree, parents: [drafts], author: SHOP, message: "Drafts without mistakes" });
}
