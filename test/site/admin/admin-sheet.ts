import { readFileSync } from "node:fs";
import { join } from "node:path";

const STYLES = join(import.meta.dirname, "../../../site/src/styles");

/** /admin/admin.css as a build writes it for a shop without colours of its own. */
export const adminSheet = (): string =>
  ["tokens.css", "admin.css"].map((file) => readFileSync(join(STYLES, file), "utf8")).join("\n");
