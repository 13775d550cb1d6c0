// `npm run content:pull`: fetches what was published in /admin as `content/main`, without changing this checkout.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readArguments } from "../../api/read-arguments.ts";
import { contentRepositoryOf, contentRootOf, dataDirOf, readEnvironment } from "../settings.ts";
import { localRepository } from "./content-repository.ts";

const USAGE = `Usage: npm run content:pull

Fetches what was published in /admin as content/main, without changing this checkout or CONTENT_ROOT.`;

readArguments(USAGE, {});
const environment = readEnvironment();
const root = contentRootOf(environment);
const repository = contentRepositoryOf(environment) ?? localRepository(dataDirOf(environment));
if (!existsSync(repository)) {
  console.error(`There is no content repository at ${repository}. \`npm start\` makes it.`);
  process.exit(1);
}
const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
const { status, stderr } = git("fetch", "--no-tags", repository, "+refs/heads/main:refs/remotes/content/main");
if (status !== 0) {
  console.error(stderr.trim());
  process.exit(1);
}
const log = git("log", "--oneline", "--no-decorate", "--no-merges", "HEAD..content/main").stdout.trim();
const place = `-C '${root.replaceAll("'", "'\\''")}' `;
const merge = `git ${environment["CONTENT_ROOT"] ? place : ""}merge content/main`;
console.log(log ? `${log}\n\nTake it over: ${merge}` : `${root} has everything that was published.`);
