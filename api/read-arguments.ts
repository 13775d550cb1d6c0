import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * Reads a command's arguments: `options` as parseArgs takes them, and one of `counts` words beside them. If they are wrong,
 * prints the usage and exits with 1.
 */
export function readArguments<T extends ParseArgsOptionsConfig>(
  usage: string,
  options: T,
  counts: readonly number[] = [0],
) {
  try {
    const read = parseArgs({ options, allowPositionals: true });
    if (counts.includes(read.positionals.length) && !read.positionals.includes("")) return read;
  } catch {
    // An option that isn't one, or lacks its value.
  }
  console.error(usage);
  process.exit(1);
}
