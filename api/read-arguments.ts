import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * Reads a command's arguments: `options` as parseArgs takes them, once unless `multiple`, and, before or after them, as many words
 * as one of `counts` says. With --help it prints the usage and exits with 0; with arguments that are wrong, to stderr and
 * with 1, below what is wrong with an option.
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
    const read = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    const given = read.tokens.flatMap((token) =>
      token.kind === "option" && !options[token.name]?.multiple ? token.rawName : [],
    );
    const doubled = given.find((name, place) => given.indexOf(name) < place);
    if (doubled !== undefined) console.error(`Option '${doubled}' was given twice.\n`);
    else if (counts.includes(read.positionals.length) && !read.positionals.includes("")) return read;
  } catch (error) {
    // An option that isn't one, or lacks its value. Node goes on about how a word could begin with a dash.
    const [first] = error instanceof Error ? error.message.split(/\.\s/) : [];
    console.error(`${first}.\n`);
  }
  console.error(usage);
  process.exit(1);
}
