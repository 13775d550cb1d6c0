import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** The lines of a .env with a setting changed or added; all others stay as they are. Undefined if its value can't be written. */
export function withSetting(lines: string, name: string, value: string): string | undefined {
  const written = ["", "'", '"', "`"].map((quote) => `${name}=${quote}${value}${quote}`);
  const line = written.find((each) => reads(each, name, value));
  if (line === undefined) return undefined;
  const own = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*\n?`, "gm");
  if (!own.test(lines)) return `${lines}${lines === "" || lines.endsWith("\n") ? "" : "\n"}${line}\n`;
  let isFirst = true;
  return lines.replace(own, () => {
    const replaced = isFirst ? `${line}\n` : "";
    isFirst = false;
    return replaced;
  });
}

/** Whether a line has the value, and no more: in double quotes, for example, \n is the end of a line. */
function reads(line: string, name: string, value: string): boolean {
  const read = parseEnv(`${line}\nAFTER=1\n`);
  return read[name] === value && read["AFTER"] === "1";
}

export const readEnvFile = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** Writes .env; only its owner can read one that is new. */
export function writeEnvFile(file: string, lines: string): void {
  writeFileSync(file, lines, { mode: 0o600 });
}
