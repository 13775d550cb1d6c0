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
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        const root = fileURLToPath(new URL("..", config.root));
        if (command === "build" || command === "dev") await checkOrExit(root, command);
        const store = readFileSync(`${root}content/store.yaml`, "utf8");
        updateConfig({ site: parseStore(store, process.env["BASE_URL"]).base_url });
      },
    },
  };
}

/** Not an exception: Astro would print its stack trace, which says nothing to an editor. */
async function checkOrExit(root: string, command: "build" | "dev"): Promise<void> {
  const problems = await checkContent(root);
  const wrong = [...problems.filter(({ isDoubt }) => !isDoubt).map(formatProblem), ...baseUrlProblems()];
  const doubts = problems.filter(({ isDoubt }) => isDoubt).map(formatProblem);
  if (doubts.length > 0) console.error(`\n${doubts.join("\n")}\n\nTo be looked at: ${doubts.length}.\n`);
  if (wrong.length === 0) return;
  console.error(`\n${wrong.join("\n")}\n\nThe content is not right yet: ${wrong.length} to mend.\n`);
  // Without the shop's settings there is no page to show while editing.
  if (command === "build" || wrong.some((problem) => /^(content\/store\.yaml|BASE_URL):/.test(problem)))
    process.exit(1);
}

function baseUrlProblems(): string[] {
  const { error } = storeSchema.shape.base_url.optional().safeParse(process.env["BASE_URL"] || undefined);
  return (error?.issues ?? []).map(({ message }) => `BASE_URL: ${message}`);
}
