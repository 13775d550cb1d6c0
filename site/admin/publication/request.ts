import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../build/files.ts";
import type { Person } from "../content/git.ts";
import type { Refusal } from "./changes.ts";

// How the admin asks the release process to publish, and learns how far it is: two files in the repository's own folder,
// which only those two may write to.

export interface PublicationRequest {
  id: string;
  editor: Person;
  /** The drafts as the editor saw them. */
  drafts: string;
  /** The files to publish, by their paths in the repository. */
  files: string[];
  /** Whether the editor may publish the shop's own files, when it was asked for; an earlier release doesn't say. */
  mayShop: boolean;
}

/** In order. Before `live` a failure leaves everything as it was; from there on it is made good. */
export const STEPS = ["merge", "build", "trial", "live", "push"] as const;

export interface Progress {
  id: string;
  editor: Person;
  step: (typeof STEPS)[number];
  /** ISO 8601. */
  since: string;
  /** The commit that main is moved to. */
  commit?: string;
  /** Once it has ended: whether what was asked for is live. */
  isLive?: boolean;
  /** Once it has ended: why it isn't, or what went wrong besides. */
  failure?: Failure;
}

export interface Failure {
  /** Each has its sentence in the words. `not_shown` is in main already, and `not_pushed` is live. */
  reason: Refusal | "interrupted" | "mistakes" | "failed" | "not_shown" | "not_pushed";
  /** The files, or the check's sentences, that it is about. */
  items?: readonly string[];
  /** Under which the log says more. */
  reference?: string;
}

const folderOf = (repository: string) => join(repository, "publication");

/** The file that appears when a publication is asked for, and disappears when it has ended. */
export const requestFile = (repository: string): string => join(folderOf(repository), "request.json");

const progressFile = (repository: string) => join(folderOf(repository), "progress.json");

/** Asks for a publication. Returns false if one is under way. */
export function requestPublication(repository: string, request: PublicationRequest): boolean {
  mkdirSync(folderOf(repository), { recursive: true });
  const complete = join(folderOf(repository), `${request.id}.new`);
  writeAtomically(complete, JSON.stringify(request));
  try {
    linkSync(complete, requestFile(repository));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(complete);
  }
}

/** The publication that is asked for or under way; undefined if there is none. */
export const readRequest = (repository: string): PublicationRequest | undefined => readJson(requestFile(repository));

/** How far the last publication has come; undefined before the first. */
export const readProgress = (repository: string): Progress | undefined => readJson(progressFile(repository));

/** Notes how far a publication has come. */
export function writeProgress(repository: string, progress: Progress): void {
  mkdirSync(folderOf(repository), { recursive: true });
  writeAtomically(progressFile(repository), JSON.stringify(progress));
}

/** Notes a publication's end, and allows the next. */
export function endPublication(repository: string, progress: Progress): void {
  writeProgress(repository, progress);
  rmSync(requestFile(repository), { force: true });
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
