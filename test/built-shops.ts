import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { localRepository, takeOverCheckout } from "../nginx/local/content-repository.ts";
import { generatedFiles } from "../site/build/build-input.ts";
import { hashOfFiles } from "../site/build/files.ts";
import { askHolder, takeLock } from "../site/build/lock.ts";
import { note } from "./costs/note.ts";
import { openKept, touch } from "./kept-folder.ts";
import { buildSite } from "./workspace.ts";

const run = promisify(execFile);

/** Built shops stay for the next run, each a tar file, which can be removed while somebody reads it. */
const KEPT = join(tmpdir(), `twinfront-built-${userInfo().uid}`);
const MOST_BYTES = 5_000_000_000;

/** What a build leaves in a copy of the project, with the content of `npm start`; its checkout is made again. */
const MADE = ["site/.astro", "site/.builds", "site/.cache", "site/dist", ".data/content.git"];
const LEFT_OUT = ["--exclude=site/.cache/content", "--exclude=.data/content.git/worktrees"];
/** In a copy and in its tar file: what the build has printed. */
const OUTPUT = ".build-output";

/** No file's own cost, since whichever comes first builds for all. */
const UNCOUNTED = { TEST_COSTS: "" };

/**
 * Builds a copy of the project as `buildSite` does, or gives it the build of an equal copy, and what the next build goes on
 * from. Nothing else is kept, so that whatever runs in the copy is its own code. A whole build that follows renders every page, for
 * Astro reuses none in another place than the last build's.
 */
export const buildOnce = (copy: string, env: Record<string, string> = {}): ReturnType<typeof buildSite> =>
  makeOnce(copy, keyOf(copy, env), () => buildSite(copy, { ...env, ...UNCOUNTED }));

/** The same, as `npm start` builds: it then finds its content and the site unchanged. */
export async function buildForStart(copy: string): Promise<void> {
  const data = join(copy, ".data");
  const repository = localRepository(data);
  mkdirSync(data, { mode: 0o700 });
  await makeOnce(copy, keyOf(copy, { CONTENT_REPOSITORY: "made by npm start" }), async () => {
    await takeOverCheckout(copy, repository);
    return buildSite(copy, { CONTENT_REPOSITORY: repository, ...UNCOUNTED });
  });
}

async function makeOnce(copy: string, key: string, build: () => ReturnType<typeof buildSite>) {
  note("builtShops");
  const printed = join(copy, OUTPUT);
  const file = await keptFile(`${key}.tar`, async (unfinished) => {
    const { output } = await build();
    writeFileSync(printed, output);
    const made = [OUTPUT, ...MADE].filter((path) => existsSync(join(copy, path)));
    // posix: with the fractions of seconds of times.
    await run("tar", ["--format=posix", ...LEFT_OUT, "-cf", unfinished, ...made], { cwd: copy });
  });
  // Whoever has built it has it already.
  if (!existsSync(printed)) await run("tar", ["-xf", file], { cwd: copy });
  const output = readFileSync(printed, "utf8");
  rmSync(printed);
  return { dist: join(copy, "site", "dist"), output };
}

/** Of everything that a build reads, what starts it and makes its checkout, and the day, since builds leave out days that have passed. */
function keyOf(copy: string, env: Record<string, string>): string {
  const checkout = "nginx/local/content-repository.ts";
  const patterns = ["site/**", "content/**", "api/contract/**", "api/openapi.json", "pnpm-lock.yaml", ".env", checkout];
  const tests = ["built-shops.ts", "workspace.ts", "bare-environment.ts"];
  const code = tests.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  const head = existsSync(join(copy, ".git")) ? execFileSync("git", ["rev-parse", "HEAD"], { cwd: copy }) : "";
  const others = [...code, head, process.version, new Date().toISOString().slice(0, 10), JSON.stringify(env)];
  return hashOfFiles(copy, patterns, (path) => generatedFiles.test(path.replace(/^site\//, "")))
    .update(others.join("\n"))
    .digest("hex");
}

/**
 * The path of a kept file, which is made first if there is none: by one process, for which all others wait. If it dies, the next
 * one makes it.
 */
async function keptFile(name: string, make: (unfinished: string) => Promise<void>): Promise<string> {
  openKept(KEPT, 0o700);
  const file = join(KEPT, name);
  const lock = `built-${userInfo().uid}-${name}`;
  while (!existsSync(file)) {
    const waiting = new Set<Socket>();
    const maker = await takeLock(lock, (socket) => waiting.add(socket));
    if (maker) {
      try {
        if (existsSync(file)) continue;
        // Its own: in another network, a process doesn't see this one's lock.
        const unfinished = `${file}.unfinished-${randomUUID()}`;
        await make(unfinished);
        renameSync(unfinished, file);
        removeOldest();
      } finally {
        maker.close();
        for (const socket of waiting) socket.destroy();
      }
    } else {
      await askHolder(lock);
    }
  }
  touch(file);
  return file;
}

/** Keeps what was used last. */
function removeOldest(): void {
  // Another run may remove them at the same time.
  const files = readdirSync(KEPT).flatMap((name) => {
    const path = join(KEPT, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? [{ path, size: stat.size, usedAt: stat.mtimeMs }] : [];
  });
  let bytes = 0;
  for (const { path, size } of files.sort((one, other) => other.usedAt - one.usedAt)) {
    bytes += size;
    if (bytes > MOST_BYTES) rmSync(path, { force: true });
  }
}
