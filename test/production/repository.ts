import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyWorkspace } from "../workspace.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Makes a repository with the project and the frozen demo shop. */
export function makeRepository(target: string): void {
  const workspace = copyWorkspace();
  try {
    for (const part of ["", "site", "api", "nginx"]) rmSync(join(workspace, part, "node_modules"), { force: true });
    mkdirSync(join(workspace, "test"));
    cpSync(join(ROOT, "test/package.json"), join(workspace, "test/package.json"));
    cpSync(workspace, target, { recursive: true });
  } finally {
    rmSync(workspace, { recursive: true });
  }
  commit(target, "The shop");
}

/** Commits everything in a repository, which it begins if there is none. */
export function commit(repository: string, subject: string): void {
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", "--all");
  git("-c", "user.name=Test", "-c", "user.email=test@shop.example", "commit", "--message", subject);
}
