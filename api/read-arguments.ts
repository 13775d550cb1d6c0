import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * Reads a command's arguments: `options` as parseArgs takes them, and, before or after them, as many words as one of `counts`
 * says. With --help it prints the usage and exits with 0; with arguments that are wrong, to stderr and with 1.
 */
export function readArguments<T extends ParseArgsOptionsConfig>(
  usage: string,
  options: T,
  counts: readonly number[] = [0],
  args: readonly string[] = process.argv.slice(2),
) {
  if (args.includes("--help")) {
    console.log(usage);
    process.exit();
  }
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true });
    if (counts.includes(read.positionals.length) && !read.positionals.includes("")) return read;
  } catch {
    // An option that isn't one, or lacks its value.
  }
  console.error(usage);
  process.exit(1);
}
