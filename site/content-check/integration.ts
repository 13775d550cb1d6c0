import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration, HookParameters } from "astro";
import { contentRoot, isLargeShop } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { findProblems } from "./check.ts";
import { checkAside } from "./check-aside.ts";
import { parsePage } from "./front-matter.ts";
import { type Findings, listErrors, listWarnings } from "./problem.ts";

type DevServer = HookParameters<"astro:server:setup">["server"];

/**
 * Checks content/ before Astro reads it, and sets the shop's base address. A build with errors lists all of them, exits with
 * code 1 and leaves the last build in place. So does the start of the dev server; once it runs, it checks again after each
 * change and keeps running.
 */
export function contentCheck(): AstroIntegration {
  let cacheFolder = "";
  return {
    name: "content-check",
    hooks: {
      "astro:config:setup": async ({ command, config, updateConfig }) => {
        const root = contentRoot();
        cacheFolder = fileURLToPath(config.cacheDir);
        if (command === "build" || command === "dev") exitOnErrors(await checkFirst(root, cacheFolder));
        const store = readFileSync(join(root, "content", "store.yaml"), "utf8");
        updateConfig({
          site: parseShop(store, process.env["BASE_URL"]).base_url,
          vite: { plugins: [withoutFields] },
        });
      },
      "astro:server:setup": ({ server }) => {
        const content = join(contentRoot(), "content/");
        let checking: NodeJS.Timeout;
        server.watcher.add(content).on("all", (_event, path) => {
          if (!path.startsWith(content)) return;
          clearTimeout(checking);
          // Editors save several files at once, or one file in several steps.
          checking = setTimeout(() => void checkAgain(join(content, ".."), cacheFolder, server), 100);
        });
        // A page that is opened or reloaded later shows the errors too.
        server.ws.on("connection", () => showErrors(server));
      },
    },
  };
}

/** A Vite plugin that leaves Astro's parser no fields to read in an .mdx file. Lines keep their numbers. */
const withoutFields = {
  name: "without-fields",
  enforce: "pre" as const,
  transform: {
    filter: { id: /\.mdx$/ },
    handler(code: string, id: string) {
      const { body, bodyLine } = parsePage(id, code);
      // A text may begin with --- too.
      return body === undefined ? undefined : { code: `---\n${"\n".repeat(bodyLine - 3)}---\n${body}`, map: null };
    },
  },
};

/** For a large shop on a thread, which gives back its memory. */
const checkFirst = (root: string, cacheFolder: string): Promise<Findings> =>
  isLargeShop() ? checkAside(root, cacheFolder).findings : findProblems(root, cacheFolder);

let printedWarnings = "";
let shownErrors = "";
let latest: ReturnType<typeof checkAside> | undefined;

/** Prints what it finds, and shows errors over the open page too. A check that still reads what has changed since is ended. */
async function checkAgain(root: string, cacheFolder: string, server: DevServer): Promise<void> {
  void latest?.end();
  const check = checkAside(root, cacheFolder);
  latest = check;
  const findings = await check.findings.catch((error: unknown) => {
    if (check === latest) throw error;
  });
  if (findings === undefined || check !== latest) return;
  const { errors, warnings } = findings;
  printWarnings(warnings);
  const hadErrors = shownErrors !== "";
  shownErrors = errors.join("\n");
  if (errors.length > 0) {
    console.error(listErrors(errors));
    showErrors(server);
  } else if (hadErrors) server.hot.send({ type: "full-reload" });
}

function showErrors({ hot }: DevServer): void {
  if (shownErrors !== "") hot.send({ type: "error", err: { message: shownErrors, stack: "" } });
}

/** Prints the findings. Exits instead of throwing, because Astro would add a stack trace. */
function exitOnErrors({ errors, warnings }: Findings): void {
  printWarnings(warnings);
  if (errors.length === 0) return;
  console.error(listErrors(errors));
  process.exit(1);
}

/** Prints the same warnings once only, however often the content changes. */
function printWarnings(warnings: readonly string[]): void {
  const text = listWarnings(warnings);
  if (text !== printedWarnings && text !== "") console.error(text);
  printedWarnings = text;
}
