import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isMainThread } from "node:worker_threads";

const run = promisify(execFile);
const project = join(import.meta.dirname, "../..");
const leftOut = new Set(["node_modules", "dist", ".cache", ".astro"]);

/** Copies all that the site's build reads into a new folder, which the caller removes; gives its path. */
export async function copySite(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "twinfront-copy-"));
  await fillCopy(root);
  return root;
}

/** Builds the site of a copy; gives its dist folder and what the build printed. Rejects with the output when it fails. */
export async function buildCopy(
  root: string,
  env: Record<string, string> = {},
): Promise<{ dist: string; output: string }> {
  const astro = join(project, "site/node_modules/astro/bin/astro.mjs");
  const options = { cwd: join(root, "site"), env: { ...cleanEnv(), ASTRO_TELEMETRY_DISABLED: "1", ...env } };
  const { stdout, stderr } = await run(process.execPath, [astro, "build"], options);
  return { dist: join(root, "site/dist"), output: stdout + stderr };
}

/**
 * The dist folder of the real site, built once a test run whoever asks first; nobody may write to it. The test files run
 * in processes of their own, hence the folder named after the process above them, and the wait.
 */
export async function builtSite(): Promise<string> {
  const root = join(tmpdir(), `twinfront-site-${isMainThread ? process.ppid : process.pid}`);
  const isFirst = await mkdir(root).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await removeLeftovers(basename(root));
    const outcome = await fillCopy(root)
      .then(() => buildCopy(root))
      .then(
        () => "built",
        (error: Error) => error.message || "the build failed",
      );
    await writeFile(join(root, "outcome.part"), outcome);
    await rename(join(root, "outcome.part"), join(root, "outcome"));
  }
  const outcome = await waitForFile(join(root, "outcome"));
  if (outcome !== "built") throw new Error(outcome);
  return join(root, "site/dist");
}

// vitest gives its workers BASE_URL=/ and NODE_ENV=test, which would reach the build.
function cleanEnv(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function fillCopy(root: string): Promise<void> {
  const wanted = (source: string) => !leftOut.has(basename(source));
  await cp(join(project, "site"), join(root, "site"), { recursive: true, filter: wanted });
  await cp(join(project, "content"), join(root, "content"), { recursive: true });
  await mkdir(join(root, "api"));
  await cp(join(project, "api/openapi.json"), join(root, "api/openapi.json"));
  await symlink(join(project, "site/node_modules"), join(root, "site/node_modules"));
}

async function waitForFile(file: string): Promise<string> {
  for (;;) {
    const content = await readFile(file, "utf8").catch(() => undefined);
    if (content !== undefined) return content;
    await sleep(100);
  }
}

// No test knows that it is the last to use the build, so the next run removes those of runs that are over.
async function removeLeftovers(own: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = /^twinfront-site-(\d+)$/.exec(name)?.[1];
    if (pid && name !== own && !isAlive(Number(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
