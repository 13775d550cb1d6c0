import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { SHOP } from "../../admin/content/git.ts";
import { ODD_IN_PATHS } from "../../content-repository/content-root.ts";
import { ContentError } from "../../content-schema/content-error.ts";

const IGNORED = "/.data*/\n/.import.part\n/import-report.txt\n/import-pieces.csv\n";

/** The absolute path of a folder that a person names: `~` may have been in quotes, and npm runs us in another folder. */
export const pathOf = (folder: string): string =>
  resolve(process.env["INIT_CWD"] ?? ".", folder.replace(/^~(?=\/|$)/, homedir()));

/** Throws ContentError unless a shop can be made in a folder: one that is empty or missing, and outside of the checkout. */
export function ensureFree(folder: string, checkout: string): void {
  const place = realPathOf(folder);
  const inside = relative(realpathSync(checkout), place);
  if (inside === "" || !/^\.\.(?:\/|$)/.test(inside))
    throw new ContentError(
      `${folder} is in ${checkout}, which then couldn't be upgraded. Name a folder beside it: npm run new:shop -- ../${basename(folder) || "shop"}`,
    );
  const [odd] = ODD_IN_PATHS.exec(folder) ?? [];
  if (odd !== undefined)
    throw new ContentError(`${folder} has ${odd} in it, which a build would misread. Name another folder.`);
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new ContentError(`${folder} is a file. Name a folder.`);
  if (existsSync(join(folder, "content", "store.yaml")))
    throw new ContentError(`${folder} is a shop already. To run it, write this line into .env: CONTENT_ROOT=${folder}`);
  if (readdirSync(folder).length > 0)
    throw new ContentError(`${folder} isn't empty. Name an empty folder, or one that doesn't exist yet.`);
}

/** Where a folder is or would be, without links. */
function realPathOf(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return folder === dirname(folder) ? folder : join(realPathOf(dirname(folder)), basename(folder));
}

/** Makes a shop's folder with `fill`, and commits what is in it. If it fails, there is no such folder, or it is empty again. */
export function makeShop(folder: string, subject: string, fill: (folder: string) => void, history?: string): void {
  const wasThere = existsSync(folder);
  try {
    mkdirSync(folder, { recursive: true });
    git(folder, ["init", "--quiet", "--initial-branch=main"]);
    if (history !== undefined && hasCommit(history)) {
      git(folder, ["fetch", "--quiet", "--no-tags", "--update-shallow", history, "HEAD"]);
      git(folder, ["update-ref", "refs/heads/main", "FETCH_HEAD"]);
    }
    // What `npm start` keeps for this shop, and what an import of a catalogue leaves beside content/.
    writeFileSync(join(folder, ".gitignore"), IGNORED);
    fill(folder);
    git(folder, ["add", "--all"]);
    git(folder, [...identity(folder), "commit", "--quiet", "--no-gpg-sign", "--no-verify", "--message", subject]);
  } catch (error) {
    const made = wasThere ? readdirSync(folder).map((name) => join(folder, name)) : [folder];
    for (const path of made) rmSync(path, { recursive: true, force: true });
    if (error instanceof ContentError) throw error;
    throw new ContentError(`${folder} can't be made: ${error instanceof Error ? error.message : error}`);
  }
}

/** Copies a content folder of an earlier shop; its README.md is the program's. */
export function copyContent(from: string, folder: string): void {
  const filter = (path: string) => path !== join(from, "README.md");
  cpSync(from, join(folder, "content"), { recursive: true, preserveTimestamps: true, filter });
}

const hasCommit = (project: string) =>
  existsSync(join(project, ".git")) &&
  spawnSync("git", ["rev-parse", "--verify", "--quiet", "HEAD"], { cwd: project }).status === 0;

/** A neutral author, for whoever has none in Git's configuration. */
const identity = (folder: string): string[] => {
  const isKnown = (name: string) => spawnSync("git", ["config", name], { cwd: folder }).status === 0;
  return isKnown("user.name") && isKnown("user.email")
    ? []
    : ["-c", `user.name=${SHOP.name}`, "-c", `user.email=${SHOP.email}`];
};

function git(folder: string, args: readonly string[]): void {
  // Of a hook that runs this, another repository.
  const env = { ...process.env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };
  const { status, stderr, error } = spawnSync("git", args, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new ContentError(`git couldn't make ${folder}: ${error?.message ?? stderr.trim()}`);
}
