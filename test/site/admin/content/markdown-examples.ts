import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../../../site/admin/forms/blocks.ts";

const FILE = join(import.meta.dirname, "../../../fixtures/markdown-examples.json");

/** How many examples a text has at most. */
const MOST_EXAMPLES = 25;

/**
 * Texts with every example of the CommonMark and GFM specifications, each below a heading of its own. One that doesn't end
 * before the next heading, such as code without a last fence, is the last of its text.
 */
export function exampleTexts(): string[] {
  const { examples }: { examples: string[] } = JSON.parse(readFileSync(FILE, "utf8"));
  const texts: string[] = [];
  let [text, count] = ["", 0];
  for (const [index, example] of examples.entries()) {
    text += `## Example ${index}\n\n${example}\n\n`;
    count++;
    const last = blocksOf(`${text}## End\n`).at(-1);
    if (count < MOST_EXAMPLES && last?.text === "## End") continue;
    texts.push(`First words.\n\n${text}`);
    [text, count] = ["", 0];
  }
  return [...texts, `First words.\n\n${text}`];
}
