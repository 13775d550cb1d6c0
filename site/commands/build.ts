// `npm run build`: content/ → site/dist. Visitors get the last good build until this one is complete.
// `--if-changed` builds only where something that a build reads has changed since the last one.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ContentError } from "../content-schema/content-error.ts";
import { openBuilds } from "../renderer/builds.ts";
import { hashOfInput } from "../renderer/built-from.ts";

const SITE = join(import.meta.dirname, "..");
const ENV = join(SITE, "..", ".env");
const builds = openBuilds(SITE);
/** In the build itself, so that it goes when that goes; nginx serves no dot files. */
const INPUT = ".built-from";

/** Two builds in one folder would publish a mixture. The kernel gives the name back however a build ends (unix(7), abstract). */
async function holdFolder(): Promise<void> {
  const name = createHash("sha256").update(SITE).digest("hex");
  const server = createServer().listen(`\0twinfront-build-${name}`);
  await once(server, "listening").catch(() => {
    throw new ContentError("Another build of this folder is running. Wait until it finishes.");
  });
  server.unref();
}

function isBuiltFrom(input: string): boolean {
  const file = join(builds.dist, INPUT);
  return existsSync(file) && readFileSync(file, "utf8") === input;
}

async function buildSite(input: string): Promise<void> {
  await holdFolder();
  builds.prepare();
  try {
    // Not at the top: reading Astro takes longer than seeing that nothing has changed.
    const [{ build }, { default: config }] = await Promise.all([import("astro"), import("../astro.config.ts")]);
    // Handed over, not found by Astro: it would load a second copy of our modules, whose ContentError is another one.
    await build({ ...config, configFile: false, root: SITE, outDir: builds.next });
    writeFileSync(join(builds.next, INPUT), input);
    builds.publish();
  } finally {
    rmSync(builds.next, { recursive: true, force: true });
  }
}

try {
  process.chdir(SITE);
  if (existsSync(ENV)) process.loadEnvFile(ENV);
  // Before the build reads any of it: what changes meanwhile is for the next one.
  const input = hashOfInput();
  if (process.argv.includes("--if-changed") && isBuiltFrom(input)) console.log("unchanged since the last build");
  else {
    await buildSite(input);
    console.log(`${globSync("**/*.html", { cwd: builds.dist }).length} pages, HTML and Markdown`);
  }
} catch (error) {
  console.error(error instanceof ContentError ? `\n${error.message}\n` : error);
  process.exit(1);
}
