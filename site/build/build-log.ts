import type { AstroLoggerDestination } from "astro";
import writeAsAstro from "astro/logger/node";

/**
 * Where a build's log goes: warnings to stderr, so that `npm start`, which hides the rest, can show them; everything else
 * as Astro writes it. Astro itself sends only errors to stderr.
 */
export default function buildLog(): AstroLoggerDestination {
  const astro = writeAsAstro();
  return {
    write: (event) => {
      if (event.level === "warn") console.warn(`[WARN] [${event.label ?? "build"}] ${event.message}`);
      else astro.write(event);
    },
  };
}
