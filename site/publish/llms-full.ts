import { createWriteStream } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import { llmsFullPath } from "../urls/paths.ts";
import type { LlmsFullPlan } from "./endpoints/llms-full-plan.ts";

const planPath = "/.llms-full.json";

/**
 * `/llms-full.txt`: the Markdown of every page, one after the other. It must stand after the Markdown face, which it
 * reads, and before what seals the site. The site itself says which pages there are, in a file that goes again.
 */
export function llmsFull(): AstroIntegration {
  return {
    name: "llms-full",
    hooks: {
      "astro:config:setup": ({ injectRoute }) => {
        const entrypoint = new URL("./endpoints/llms-full-plan.ts", import.meta.url);
        injectRoute({ pattern: planPath, entrypoint, prerender: true });
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use(llmsFullPath, (request, response, next) => {
          answer(ownAddress(request), response).catch(next);
        });
      },
      "astro:build:done": async ({ dir, logger }) => {
        const bytes = await writeLlmsFull(fileURLToPath(dir));
        logger.info(`${Math.round(bytes / 1000)} kB`);
      },
    },
  };
}

/** Writes llms-full.txt into a built site's folder; gives its size in bytes. */
async function writeLlmsFull(dist: string): Promise<number> {
  const planFile = join(dist, planPath);
  const plan: LlmsFullPlan = JSON.parse(await readFile(planFile, "utf8"));
  const file = join(dist, llmsFullPath);
  await pipeline(
    writePages(plan, (path) => readFile(join(dist, path), "utf8")),
    createWriteStream(file),
  );
  await rm(planFile);
  return (await stat(file)).size;
}

/** The dev server's: from the faces that it answers itself. */
async function answer(origin: string, response: ServerResponse): Promise<void> {
  const read = async (path: string) => (await fetch(origin + path)).text();
  const plan: LlmsFullPlan = JSON.parse(await read(planPath));
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  await pipeline(Readable.from(writePages(plan, read)), response);
}

/** A page after the other: together they can be larger than memory. */
async function* writePages({ head, pages }: LlmsFullPlan, read: (path: string) => Promise<string>) {
  yield head;
  for (const path of pages) yield `\n${await read(path)}`;
}
