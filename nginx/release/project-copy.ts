import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { linkOrCopyFolder } from "../../site/build/link-or-copy.ts";
import { StartError } from "../programs.ts";

/** What a release has of the project, beside the site that was built. */
const PARTS = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.base.json", "api", "nginx", "site"];
/** What is installed or built. */
const LEFT_OUT = /^(?:node_modules|dist(?:\.link)?|\.builds|\.cache|\.astro|\.facts\.json(?:\.next)?)$/;

/**
 * Copies a project's code, content/ of `contentRoot` unless that is in a repository, and its packages: from `last`, a copy with
 * the same packages, or the project itself. Packages are linked where that can be, since installing replaces files and never changes them.
 * Returns how they got there.
 */
export async function copyProject(
  project: string,
  copy: string,
  { last, contentRoot }: { last: string | undefined; contentRoot: string | undefined },
): Promise<"linked" | "copied"> {
  mkdirSync(copy, { recursive: true });
  const parts = PARTS.map((part) => [project, part] as const);
  for (const [from, part] of contentRoot === undefined ? parts : [...parts, [contentRoot, "content"] as const]) {
    const filter = (path: string) => !LEFT_OUT.test(basename(path));
    cpSync(join(from, part), join(copy, part), { recursive: true, preserveTimestamps: true, filter });
  }
  const source = last !== undefined && hasSamePackages(last, project) ? last : project;
  const ways = new Set<"linked" | "copied">();
  for (const part of [".", "api", "nginx", "site"]) {
    const packages = join(source, part, "node_modules");
    if (!existsSync(packages)) continue;
    const way = linkOrCopyFolder(packages, join(copy, part, "node_modules"));
    ways.add(
      await way.catch((error) => {
        throw new StartError(`${packages} can't be copied: ${error.message}`);
      }),
    );
  }
  return ways.has("copied") ? "copied" : "linked";
}

/** By pnpm's note of what it installed. */
function hasSamePackages(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((copy) =>
    readFileSync(join(copy, "node_modules", ".pnpm", "lock.yaml"), "utf8"),
  );
  return mine === theirs;
}

/**
 * Which of the processes that go on after a release run other code in one copy of a project than in another; `nginx`, where
 * its configuration or what writes it differs.
 */
export function processesThatDiffer(one: string, other: string, hasEditors: boolean): string[] {
  const differs = (part: string, ...unused: string[]) => {
    const made = ["node_modules", "dist", ".builds", ".cache", ".astro", ".facts.json*"];
    const excluded = [...made, ...unused].map((name) => `--exclude=${name}`);
    return spawnSync("diff", ["-rq", ...excluded, join(one, part), join(other, part)]).status !== 0;
  };
  const packages = differs("pnpm-lock.yaml");
  return [
    ...(packages || differs("api") ? ["the API", "the worker"] : []),
    ...(packages || differs("api") || differs("nginx/release") ? ["the refresh"] : []),
    // site/src is in the pages alone.
    ...(hasEditors && (packages || differs("site", "src") || differs("api/contract")) ? ["the admin"] : []),
    // These folders are the commands that start, install and release the shop.
    ...(differs("nginx", "local", "production", "release", "README.md") ? ["nginx"] : []),
  ];
}
