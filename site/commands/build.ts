// `npm run build`: content/ → site/dist. Visitors get the last build until this one is complete.
// `--if-changed` builds only if a build's input has changed, or a day that its pages promise has passed.
// `--out FOLDER` builds into a folder that a release puts in place later, and leaves site/dist alone.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ContentError } from "../content-schema/content-error.ts";
import { hashBuildInput, hasPassedDay } from "../renderer/build-input.ts";
import { openBuilds } from "../renderer/builds.ts";

const SITE = join(import.meta.dirname, "..");
const LOG = new URL("../renderer/build-log.ts", import.meta.url);
const ENV = join(SITE, "..", ".env");
const builds = openBuilds(SITE);
/** Inside the build, so that it is deleted with it; nginx doesn't serve dot files. */
const INPUT = ".built-from";

/** Allows one build of a folder at a time. The kernel frees the socket's name however a build ends (unix(7), abstract). */
async function holdFolder(): Promise<void> {
  const name = createHash("sha256").update(SITE).digest("hex");
  const server = createServer().listen(`\0twinfront-build-${name}`);
  await once(server, "listening").catch(() => {
    throw new ContentError("Another build of this folder is running. Wait until it finishes.");
  });
  server.unref();
}

function isCurrent(input: string): boolean {
  const read = (name: string) => readFileSync(join(builds.dist, name), "utf8");
  return (
    existsSync(join(builds.dist, INPUT)) && read(INPUT) === input && !hasPassedDay(read("products.json"), new Date())
  );
}

async function buildInto(folder: string, input: string): Promise<void> {
  // Imported here, because loading Astro takes longer than finding that nothing has changed.
  const [{ build }, { default: config }] = await Promise.all([import("astro"), import("../astro.config.ts")]);
  // Passed in, because Astro would load a second copy of our modules, whose ContentError is a different class.
  await build({ ...config, configFile: false, root: SITE, outDir: folder, logger: { entrypoint: LOG } });
  writeFileSync(join(folder, INPUT), input);
}

async function publishBuild(input: string): Promise<void> {
  builds.prepare();
  try {
    await buildInto(builds.next, input);
    builds.publish();
  } finally {
    rmSync(builds.next, { recursive: true, force: true });
  }
}

try {
  const { values } = parseArgs({ options: { "if-changed": { type: "boolean" }, out: { type: "string" } } });
  const out = values.out === undefined ? undefined : resolve(values.out);
  process.chdir(SITE);
  if (existsSync(ENV)) process.loadEnvFile(ENV);
  // Hashed before the build reads it, so that a change during a build causes the next one.
  const input = hashBuildInput();
  if (values["if-changed"] && isCurrent(input)) console.log("unchanged since the last build");
  else {
    await holdFolder();
    await (out === undefined ? publishBuild(input) : buildInto(out, input));
    console.log(`${globSync("**/*.html", { cwd: out ?? builds.dist }).length} pages, HTML and Markdown`);
  }
} catch (error) {
  console.error(error instanceof ContentError ? `\n${error.message}\n` : error);
  process.exit(1);
}
