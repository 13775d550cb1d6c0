import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The partner token of this installation: made once, kept in DATA_DIR. */
export function keptToken(path: string): string {
  const file = join(path, "erp-pull-api-token");
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8").trim();
}
