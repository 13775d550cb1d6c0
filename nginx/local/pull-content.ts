// `npm run content:pull`: fetches what was published in /admin as `content/main`, without changing this checkout.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { contentRepositoryOf, dataDirOf, readEnvironment } from "../settings.ts";
import { localRepository } from "./content-repository.ts";

const USAGE = `Usage: npm run content:pull

Fetches what was published in /admin as content/main, without changing this checkout.`;

const ROOT = join(import.meta.dirname, "..", "..");
readArguments(USAGE, {});
const environment = readEnvironment();
const repository = contentRepositoryOf(environment) ?? localRepository(dataDirOf(environment));
if (!existsSync(repository)) {
  console.error(`There is no content repository at ${repository}. \`npm start\` makes it.`);
  process.exit(1);
}
const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
const { status, stderr } = git("fetch", "--no-tags", repository, "+refs/heads/main:refs/remotes/content/main");
if (status !== 0) {
  console.error(stderr.trim());
  process.exit(1);
}
const log = git("log", "--oneline", "--no-decorate", "--no-merges", "HEAD..content/main").stdout.trim();
console.log(log ? `${log}\n\nTake it over: git merge content/main` : "The checkout has everything that was published.");
