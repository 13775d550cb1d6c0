import { readFile } from "node:fs/promises";
import type { TLocalizedValidationError } from "typebox/error";

/** A file of the site's build can't be imported; the message names the file, the place and the reason. */
class BuiltFileError extends Error {
  override readonly name = "BuiltFileError";
}

/** Reads a JSON file that the site's build wrote. Throws BuiltFileError. */
export async function readBuiltFile(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const reason =
      cause.code === "ENOENT" ? "The file doesn't exist. Build the site first: npm run build." : cause.message;
    throw new BuiltFileError(`${path}: ${reason}`, { cause });
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    const at = Number(/at position (\d+)/.exec(String(cause))?.[1] ?? text.length);
    const line = text.slice(0, at).split("\n").length;
    throw new BuiltFileError(`${path}:${line}: The file isn't valid JSON. Build the site again: npm run build.`, {
      cause,
    });
  }
}

/** The error that lists what is wrong in a file. */
export const brokenFile = (path: string, problems: readonly string[]) =>
  new BuiltFileError(`${path} can't be imported:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);

/**
 * Describes what TypeBox reports, eight mismatches at most, once per place: `/tax/home must match …`. `nameOf` adds a name
 * to a place that is hard to find; `whole` is what the file describes.
 */
export function describeMismatches(
  errors: readonly TLocalizedValidationError[],
  whole: string,
  nameOf: (instancePath: string) => string = () => "",
): string[] {
  const messages = new Map<string, string>();
  for (const { keyword, instancePath, message } of errors) {
    // An unknown field is reported twice: at its own place, by a schema `false`, and at its parent.
    if (keyword === "additionalProperties" || messages.has(instancePath)) continue;
    const place = `${instancePath || "/"}${nameOf(instancePath)}`;
    messages.set(instancePath, `${place} ${keyword === "boolean" ? `isn't a field of ${whole}` : message}.`);
  }
  return [...messages.values()];
}
