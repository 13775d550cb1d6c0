import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { StartError } from "../programs.ts";

/** What a release has of the project, beside the site that was built. */
const PARTS = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "api",
  "content",
  "nginx",
  "site",
];
/** What is installed or built. */
const LEFT_OUT = /^(?:node_modules|dist(?:\.link)?|\.builds|\.cache|\.astro)$/;

/** Copies a project's code and content, and hard-links its packages, which installing replaces and never changes. */
export function copyProject(project: string, copy: string): void {
  mkdirSync(copy, { recursive: true });
  for (const part of PARTS) {
    const filter = (path: string) => !LEFT_OUT.test(basename(path));
    cpSync(join(project, part), join(copy, part), { recursive: true, preserveTimestamps: true, filter });
  }
  const canLink = statSync(project).dev === statSync(copy).dev;
  for (const part of [".", "api", "nginx", "site"]) {
    const packages = join(project, part, "node_modules");
    if (!existsSync(packages)) continue;
    const { status, stderr } = spawnSync("cp", [canLink ? "-al" : "-a", packages, join(copy, part)]);
    if (status !== 0) throw new StartError(`${packages} can't be copied: ${stderr}`);
  }
}

/** Whether two copies of a project differ in what the API's processes run. */
export function hasOtherApi(one: string, other: string): boolean {
  const differs = (part: string) =>
    spawnSync("diff", ["-rq", "--exclude=node_modules", join(one, part), join(other, part)]).status !== 0;
  return ["api", "pnpm-lock.yaml"].some(differs);
}
