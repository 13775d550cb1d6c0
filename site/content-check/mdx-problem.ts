import { z } from "astro/zod";

/** remark-mdx throws a VFileMessage: `reason` is its sentence, `line` counts as the file does where the place is known. */
const thrown = z.looseObject({ reason: z.string(), line: z.int().optional().catch(undefined) });

/** What an error of `parseBody` means to an editor, with its line; `bodyLine` is where the text begins. */
export function mdxProblem(error: unknown, bodyLine: number): { line: number; message: string } {
  const { reason, line = bodyLine } = thrown.parse(error);
  // The sentence says where the tag was opened: "Expected a closing tag for `<Callout>` (12:1-12:21)".
  const [, tag, opened] = /closing tag for `<([\w.]+)>` \((\d+):/.exec(reason) ?? [];
  if (tag !== undefined)
    return { line: Number(opened), message: `<${tag}> has no end. Write \`</${tag}>\` below its text.` };
  const message = `In an .mdx file, { and < begin code: write \\{ or \\< for the signs themselves. (${reason})`;
  return { line, message };
}
