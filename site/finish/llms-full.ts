import { closeSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import { llmsFullPath } from "../urls/paths.ts";
import type { LlmsFullPlan } from "./endpoints/llms-full-plan.ts";

/** The path of the temporary file. */
export const planPath = "/.llms-full.json";

/**
 * Astro integration for `/llms-full.txt`, the Markdown of every page in one file. It must come after markdownFace(), whose files it
 * reads, and before finish(). The list of pages is a temporary file that the site renders.
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
        const planFile = join(fileURLToPath(dir), planPath);
        const plan = await readFile(planFile, "utf8");
        await rm(planFile);
        const bytes = writeLlmsFull(fileURLToPath(dir), plan);
        logger.info(`${Math.round(bytes / 1000)} kB`);
      },
    },
  };
}

/** Writes llms-full.txt into the folder of a built site, one page at a time: all of them may be larger than memory. Returns its size in bytes. */
export function writeLlmsFull(dist: string, planText: string): number {
  const { head, pages }: LlmsFullPlan = JSON.parse(planText);
  // Synchronous calls: for many small files, libuv's thread pool costs more CPU time than it saves.
  const file = openSync(join(dist, llmsFullPath), "w");
  try {
    writeSync(file, head);
    for (const path of pages) writeSync(file, `\n${readFileSync(join(dist, path), "utf8")}`);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

/** Answers from the dev server's own Markdown pages. */
async function answer(origin: string, response: ServerResponse): Promise<void> {
  const read = async (path: string) => (await fetch(origin + path)).text();
  const plan: LlmsFullPlan = JSON.parse(await read(planPath));
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.write(plan.head);
  for (const path of plan.pages) response.write(`\n${await read(path)}`);
  response.end();
}
