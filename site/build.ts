// `npm run build`: content/ → site/dist. Visitors get the last good build until this one is complete.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { build } from "astro";
import config from "./astro.config.ts";
import { ContentError } from "./content-error.ts";

const SITE = import.meta.dirname;
const DIST = join(SITE, "dist");
const NEXT = join(SITE, "dist.new");
const LAST = join(SITE, "dist.old");
const ENV = join(SITE, "..", ".env");

/** Two builds in one folder would publish a mixture. The kernel gives the name back however a build ends (unix(7), abstract). */
async function holdFolder(): Promise<void> {
  const name = createHash("sha256").update(SITE).digest("hex");
  const server = createServer().listen(`\0twinfront-build-${name}`);
  await once(server, "listening").catch(() => {
    throw new ContentError("Another build of this folder is running. Wait until it has ended.");
  });
  server.unref();
}

/** An earlier build may have been killed anywhere, also between the renames. */
function tidyUp(): void {
  if (!existsSync(DIST) && existsSync(LAST)) renameSync(LAST, DIST);
  for (const folder of [NEXT, LAST]) rmSync(folder, { recursive: true, force: true });
}

function swapIn(): void {
  if (existsSync(DIST)) renameSync(DIST, LAST);
  renameSync(NEXT, DIST);
  rmSync(LAST, { recursive: true, force: true });
}

try {
  process.chdir(SITE);
  if (existsSync(ENV)) process.loadEnvFile(ENV);
  await holdFolder();
  tidyUp();
  try {
    // Handed over, not found by Astro: it would load a second copy of our modules, whose ContentError is another one.
    await build({ ...config, configFile: false, root: SITE, outDir: NEXT });
    swapIn();
  } finally {
    rmSync(NEXT, { recursive: true, force: true });
  }
} catch (error) {
  console.error(error instanceof ContentError ? `\n${error.message}\n` : error);
  process.exit(1);
}
