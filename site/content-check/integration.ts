import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { parseStore, storeSchema } from "../src/content/store.ts";
import { checkContent } from "./check.ts";
import { formatProblem } from "./problem.ts";

/**
 * Checks content/ before Astro reads it, then tells Astro the shop's base address. A build with a problem ends at once,
 * with the whole list and exit code 1, and leaves the last build's files as they are; the dev server lists it and goes on.
 */
export function contentCheck(): AstroIntegration {
  return {
    name: "content-check",
    hooks: {
      "astro:config:setup": ({ command, config, updateConfig }) => {
        const root = fileURLToPath(new URL("..", config.root));
        const problems = command === "build" || command === "dev" ? describeProblems(root) : [];
        if (problems.length > 0) {
          console.error(`\n${problems.join("\n")}\n\nThe content is not right yet: ${problems.length} to mend.\n`);
          // Not an exception: Astro would print its stack trace, which says nothing to an editor.
          if (command === "build") process.exit(1);
        }
        const store = readFileSync(`${root}content/store.yaml`, "utf8");
        updateConfig({ site: parseStore(store, process.env["BASE_URL"]).base_url });
      },
    },
  };
}

/** A line for each problem of the content, and for a BASE_URL that is none. */
function describeProblems(root: string): string[] {
  const problems = checkContent(root).map(formatProblem);
  const { error } = storeSchema.shape.base_url.optional().safeParse(process.env["BASE_URL"] || undefined);
  return [...problems, ...(error?.issues ?? []).map(({ message }) => `BASE_URL: ${message}`)];
}
