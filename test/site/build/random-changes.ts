import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../api/operation/demo/random.ts";

/** What an editor changes in a text of content/; undefined where it doesn't apply. */
type Change = (text: string, random: Random) => string | undefined;

const price: Change = (text, random) => {
  const prices = text.match(/price: "\d+\.\d\d"/g) ?? [];
  const [first, ...others] = prices;
  if (first === undefined) return undefined;
  return text.replace(random.pick([first, ...others]), `price: "${random.between(5, 900)}.${random.between(10, 99)}"`);
};

const stock: Change = (text, random) =>
  /available_from|preorder/.test(text)
    ? undefined
    : text.replace(/availability: \w+/, `availability: ${random.pick(["in_stock", "backorder", "out_of_stock"])}`);

const summary: Change = (text, random) =>
  text.replace(/^summary: .*$/m, `summary: Tried by ${random.between(2, 999)} shops.`);

const sentence: Change = (text, random) =>
  `${text.trimEnd()}\n\nIt was seen on ${random.between(2, 999)} counters & "tables" at [our guides](/guides).\n`;

/** The number goes before a closing quote. */
const title: Change = (text, random) => text.replace(/^(title: .*?)(?: \d+)?("?)$/m, `$1 ${random.between(2, 99)}$2`);

const day: Change = (text, random) => text.replace(/^updated: .*$/m, `updated: 2026-0${random.between(1, 9)}-11`);

/** Changes `count` random .md files of pages in a content folder. Returns their texts by path. */
export function changeRandomly(content: string, count: number, random: Random): Record<string, string> {
  const [first = "", ...others] = globSync("{products/*,categories,guides,pages}/*.md", { cwd: content }).sort();
  const changed: Record<string, string> = {};
  while (Object.keys(changed).length < count) {
    const file = random.pick([first, ...others]);
    const text = readFileSync(join(content, file), "utf8");
    const changes = file.startsWith("products/")
      ? ([price, price, stock, summary, sentence, title, day] as const)
      : ([summary, sentence, title] as const);
    const next = random.pick(changes as readonly [Change, ...Change[]])(text, random);
    if (next === undefined || /^draft: true/m.test(text)) continue;
    writeFileSync(join(content, file), next);
    changed[file] = next;
  }
  return changed;
}
