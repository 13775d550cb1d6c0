import { spawnSync } from "node:child_process";
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { StartError } from "../programs.ts";

/** What a release has of the project, beside the site that was built. */
const PARTS = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json", "api", "nginx", "site"];
/** What is installed or built. */
const LEFT_OUT = /^(?:node_modules|dist(?:\.link)?|\.builds|\.cache|\.astro)$/;

/**
 * Copies a project's code, its content/ unless that is in a repository, and its packages: as hard links, since installing
 * replaces files and never changes them, to `last`, a copy with the same packages, or to the project's own. Returns how the
 * packages got there.
 */
export function copyProject(
  project: string,
  copy: string,
  { last, withContent }: { last: string | undefined; withContent: boolean },
): "linked" | "copied" {
  mkdirSync(copy, { recursive: true });
  for (const part of withContent ? [...PARTS, "content"] : PARTS) {
    const filter = (path: string) => !LEFT_OUT.test(basename(path));
    cpSync(join(project, part), join(copy, part), { recursive: true, preserveTimestamps: true, filter });
  }
  const linked = [last, project].find((source) => source && hasSamePackages(source, project) && canLink(source, copy));
  const source = linked ?? project;
  for (const part of [".", "api", "nginx", "site"]) {
    const packages = join(source, part, "node_modules");
    if (!existsSync(packages)) continue;
    const { status, stderr } = spawnSync("cp", [linked ? "-al" : "-a", packages, join(copy, part)]);
    if (status !== 0) throw new StartError(`${packages} can't be copied: ${stderr}`);
  }
  return linked ? "linked" : "copied";
}

/** By pnpm's note of what it installed. */
function hasSamePackages(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((copy) =>
    readFileSync(join(copy, "node_modules", ".pnpm", "lock.yaml"), "utf8"),
  );
  return mine === theirs;
}

/** Not across file systems or systemd's ReadWritePaths, and not to another user's files (fs.protected_hardlinks). */
function canLink(source: string, copy: string): boolean {
  const probe = join(copy, ".link");
  try {
    linkSync(join(source, "pnpm-lock.yaml"), probe);
  } catch {
    return false;
  }
  rmSync(probe);
  return true;
}

/** Which of the processes that go on after a release run other code in one copy of a project than in another. */
export function processesThatDiffer(one: string, other: string, hasEditors: boolean): string[] {
  // site/src is in the pages alone.
  const excluded = ["node_modules", "dist", "src"].map((name) => `--exclude=${name}`);
  const differs = (part: string) =>
    spawnSync("diff", ["-rq", ...excluded, join(one, part), join(other, part)]).status !== 0;
  const packages = differs("pnpm-lock.yaml");
  return [
    ...(packages || differs("api") ? ["the API", "the worker"] : []),
    ...(hasEditors && (packages || differs("site")) ? ["the admin"] : []),
  ];
}
