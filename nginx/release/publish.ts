// Publishes what an editor has asked for in /admin (site/admin/publication/request.ts): a release whose content is main with
// the chosen drafts. Started when the request appears, and again after it was killed.

import { MAIN } from "../../site/admin/content/drafts.ts";
import { git, isAncestor, moveRef, RefMoved, readCommit } from "../../site/admin/content/git.ts";
import { Unpublishable, writePublication } from "../../site/admin/publication/changes.ts";
import {
  endPublication,
  type Failure,
  type Progress,
  type PublicationRequest,
  readProgress,
  readRequest,
  writeProgress,
} from "../../site/admin/publication/request.ts";
import { errorsIn } from "../../site/content-check/problem.ts";
import type { HeldProgram } from "../local/child-process.ts";
import { StartError } from "../programs.ts";
import { makeRelease, migrate, showOrGoBack } from "./make-release.ts";
import { holdImport, type ReleaseRun, runRelease } from "./run.ts";

/** How often somebody else may move main while a publication is being built. */
const TRIES = 5;

await runRelease(
  "Publication",
  async (run) => {
    const repository = run.contentRepository;
    const request = repository && readRequest(repository);
    if (!repository || !request) return;
    const { id, editor } = request;
    const before = readProgress(repository);
    const begun = before?.id === id ? before : undefined;
    // Killed just before the request was removed.
    if (begun?.isLive !== undefined) return endPublication(repository, begun);
    let progress: Progress = begun ?? { id, editor, step: "merge", since: new Date().toISOString() };
    const note = (change: Partial<Progress>) => {
      progress = { ...progress, ...change };
      writeProgress(repository, progress);
    };
    const end = (isLive: boolean, failure?: Failure) =>
      endPublication(repository, { ...progress, isLive, ...(failure && { failure }) });
    let isInMain = false;
    try {
      const main = (await readCommit(repository, MAIN)) ?? "";
      isInMain = begun?.commit !== undefined && (await isAncestor(repository, begun.commit, main));
      if (begun && !isInMain) return end(false, { reason: "interrupted" });
      const made = isInMain ? await remakeRelease(run) : await moveMain(run, repository, request, note);
      isInMain = true;
      note({ step: "live" });
      await show(run, made);
      note({ step: "push" });
      end(true, await recordPublication(repository, progress));
      console.log(`\nRelease ${made.number} is live.`);
    } catch (error) {
      end(false, isInMain ? { reason: "not_shown", reference: referTo(id) } : describe(error, id));
      throw error;
    }
    // Last, because it takes seconds with tens of thousands of files.
    run.releases.prune();
  },
  { waits: true },
);

/** For an editor, who gets no program's log but the check's sentences. */
function describe(error: unknown, id: string): Failure {
  if (error instanceof Unpublishable) return { reason: error.reason, items: error.files };
  const mistakes = error instanceof StartError ? errorsIn(error.message) : [];
  return mistakes.length > 0 ? { reason: "mistakes", items: mistakes } : { reason: "failed", reference: referTo(id) };
}

/** Names the publication in the log, before the error that follows. Returns the name. */
function referTo(id: string): string {
  const reference = id.slice(0, 8);
  console.error(`Publication ${reference} failed:`);
  return reference;
}

/** A release, and its import if that has begun. */
interface Made {
  number: number;
  held?: HeldProgram;
}

/** Makes a release of main as it is, after a publication was killed behind the point of no return. */
async function remakeRelease(run: ReleaseRun): Promise<Made> {
  const number = await makeRelease(run);
  await migrate(run, number);
  return { number };
}

/** Makes a release of main with the chosen drafts, and moves main there. Returns it, with its import not yet committed. */
async function moveMain(
  run: ReleaseRun,
  repository: string,
  request: PublicationRequest,
  note: (change: Partial<Progress>) => void,
): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    note({ step: "merge" });
    const main = (await readCommit(repository, MAIN)) ?? "";
    const commit = await writePublication(repository, main, request);
    note({ step: "build", commit });
    const number = await makeRelease(run, commit);
    let held: HeldProgram | undefined;
    try {
      note({ step: "trial" });
      await migrate(run, number);
      held = await holdImport(run, number);
      await moveRef(repository, MAIN, commit, main);
      return { number, held };
    } catch (error) {
      await held?.giveUp();
      run.releases.remove(number);
      if (!(error instanceof RefMoved)) throw error;
      if (tries === TRIES) throw new Unpublishable("overtaken", []);
    }
  }
}

async function show(run: ReleaseRun, { number, held }: Made): Promise<void> {
  const { releases } = run;
  try {
    await showOrGoBack(run, number, held);
  } catch (error) {
    if (releases.current() !== number) releases.remove(number);
    throw error;
  }
}

/** Tags the publication, and pushes main where there is a remote. Returns what went wrong with that. */
async function recordPublication(
  repository: string,
  { id, commit = "", since }: Progress,
): Promise<Failure | undefined> {
  await git(repository, ["tag", "--force", `published/${since.replaceAll(":", "-")}`, commit]);
  if ((await git(repository, ["remote"])).length === 0) return undefined;
  try {
    await git(repository, ["push", "--quiet", "--tags", "origin", "main"]);
    return undefined;
  } catch (error) {
    const reference = referTo(id);
    console.error(error instanceof Error ? error.message : error);
    return { reason: "not_pushed", reference };
  }
}
