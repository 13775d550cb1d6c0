import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroIntegration, HookParameters } from "astro";
import { parseShop } from "../content-schema/shop.ts";
import { findProblems } from "./check.ts";
import { listDoubts, listErrors } from "./problem.ts";

type DevServer = HookParameters<"astro:server:setup">["server"];

/**
 * Checks content/ before Astro reads it, then tells Astro the shop's base address. A build with a problem ends at once,
 * with the whole list and exit code 1, and leaves the last build's files as they are. So does the start of the dev server,
 * which Astro would end with its own words; once it runs, it says what is wrong after every change, and goes on.
 */
export function contentCheck(): AstroIntegration {
  return {
    name: "content-check",
    hooks: {
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        const root = fileURLToPath(new URL("..", config.root));
        if (command === "build" || command === "dev") await checkOrExit(root);
        const store = readFileSync(`${root}content/store.yaml`, "utf8");
        updateConfig({ site: parseShop(store, process.env["BASE_URL"]).base_url });
      },
      "astro:server:setup": ({ server }) => {
        const content = fileURLToPath(new URL("../content/", pathToFileURL(`${server.config.root}/`)));
        let checking: NodeJS.Timeout;
        server.watcher.add(content).on("all", (_event, path) => {
          if (!path.startsWith(content)) return;
          clearTimeout(checking);
          // An editor may save several files at once, or one in several steps.
          checking = setTimeout(() => void checkAgain(join(content, ".."), server), 100);
        });
        // Whoever opens or reloads a page later is told too.
        server.ws.on("connection", () => showErrors(server));
      },
    },
  };
}

let printedDoubts = "";
let errors = "";

/** In the terminal, and what is wrong over the page that is open too. */
async function checkAgain(root: string, server: DevServer): Promise<void> {
  const { wrong, doubts } = await findProblems(root);
  printDoubts(doubts);
  const wasWrong = errors !== "";
  errors = wrong.join("\n");
  if (wrong.length > 0) console.error(listErrors(wrong));
  if (wrong.length > 0) showErrors(server);
  else if (wasWrong) server.hot.send({ type: "full-reload" });
}

function showErrors({ hot }: DevServer): void {
  if (errors !== "") hot.send({ type: "error", err: { message: errors, stack: "" } });
}

/** Not an exception: Astro would print its stack trace, which says nothing to an editor. */
async function checkOrExit(root: string): Promise<void> {
  const { wrong, doubts } = await findProblems(root);
  printDoubts(doubts);
  if (wrong.length === 0) return;
  console.error(listErrors(wrong));
  process.exit(1);
}

/** Once, not after every change of something else. */
function printDoubts(doubts: readonly string[]): void {
  const text = listDoubts(doubts);
  if (text !== printedDoubts && text !== "") console.error(text);
  printedDoubts = text;
}
