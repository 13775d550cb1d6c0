// Loaded into each Node process that a test starts, at any depth (NODE_OPTIONS): notes it among the costs of the test's file.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { note } from "./note.ts";

const script = process.argv[1] ?? "";

if (isMainThread) {
  note("processes");
  if (script.endsWith("/site/commands/build.ts")) noteBuild();
}

/** A build imports the one or the other when it knows what it has to do; an unchanged one neither. */
function noteBuild(): void {
  const again = existsSync(join(dirname(script), "../.cache/incremental-build.json"));
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "astro" && context.parentURL?.endsWith("/build.ts")) note(again ? "rebuilds" : "builds");
      if (specifier.endsWith("/quick-build.ts")) note("quickBuilds");
      return next(specifier, context);
    },
  });
}
