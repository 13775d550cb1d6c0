import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyWorkspace } from "./workspace.ts";

const CONTENT = join(import.meta.dirname, "fixtures", "hostile-shop");

/** A copy of the project whose content is a shop of names and texts that break what is careless. The caller removes it. */
export function copyHostileShop(): string {
  const copy = copyWorkspace("twinfront-hostile-");
  rmSync(join(copy, "content"), { recursive: true });
  cpSync(CONTENT, join(copy, "content"), { recursive: true });
  return copy;
}
