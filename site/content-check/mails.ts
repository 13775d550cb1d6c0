import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Nodes } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { READY_MAIL } from "../../api/contract/mail-kinds.ts";
import { isToCustomer, mailKinds, mailSchema, placePattern } from "../content-schema/mail.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { readTextFile } from "./content-files.ts";
import { findHtmlInFields, findSchemaProblems, findUnseen } from "./field-problems.ts";
import { parsePage } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

const FOLDER = "content/mails";

/** Checks the mails that replace the standard ones. */
export function findMailProblems(root: string): Problem[] {
  const folder = join(root, FOLDER);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  const expected = [...mailKinds.keys()].map((kind) => `${kind}.md`);
  return files.flatMap((name) => {
    if (expected.includes(name)) return checkMail(root, name.slice(0, -3));
    const message = `The shop doesn't send a mail called ${name}.${didYouMean(name, expected)} There are: ${expected.join(", ")}.`;
    return [{ file: `${FOLDER}/${name}`, line: 1, message }];
  });
}

function checkMail(root: string, kind: string): Problem[] {
  const file = `${FOLDER}/${kind}.md`;
  const { text, problems: unreadable } = readTextFile(root, file);
  const { yaml, body, bodyLine, problems } = parsePage(file, text);
  const ofFields = yaml ? [...findSchemaProblems(file, yaml, mailSchema), ...findHtmlInFields(file, text, yaml)] : [];
  return [
    ...unreadable,
    ...findUnseen(file, text, yaml, problems),
    ...ofFields,
    ...findPlaceProblems(file, kind, text, bodyLine),
    ...(body === undefined ? [] : findTextProblems(file, body, bodyLine)),
  ];
}

const mailLed =
  "`{{ addresses }}` must be below `{{ lines }}`: a mail doesn't begin with what somebody typed at the checkout, since they may have typed another's e-mail address too.";
const LINES = /\{\{\s*lines\s*\}\}/;
/** Only in a mail on what was sent something stands there. */
const SHIPMENTS = /\{\{\s*shipments\s*\}\}/;

/**
 * Finds names that the mail doesn't know, code, blocks that aren't on a line of their own, and what customers typed where
 * a mail begins.
 */
function findPlaceProblems(file: string, kind: string, text: string, bodyLine: number): Problem[] {
  const { words = {}, blocks = [] } = mailKinds.get(kind) ?? {};
  const names = [...Object.keys(words), ...blocks];
  const lines = text.split("\n");
  const hasOrder = (each: string) =>
    LINES.test(each) || ((kind === "sent" || kind === READY_MAIL) && SHIPMENTS.test(each));
  return lines.flatMap((line, index) =>
    [...line.matchAll(placePattern)].flatMap(([place, name]) => {
      const at = { file, line: index + 1 };
      if (name === undefined)
        return { ...at, message: `\`${place}\` is code. Write only names, such as \`{{ order_number }}\`.` };
      if (name in words) return [];
      if (!blocks.some((block) => block === name)) {
        const there = names.map((each) => `\`{{ ${each} }}\``).join(", ");
        return {
          ...at,
          message: `\`${place}\` isn't known in this mail.${didYouMean(name, names)} There are: ${there}.`,
        };
      }
      if (name === "addresses" && isToCustomer(kind) && !lines.slice(0, index).some(hasOrder))
        return { ...at, message: mailLed };
      const isAlone = line.trim() === place && !lines[index - 1]?.trim() && !lines[index + 1]?.trim();
      if (isAlone && index + 1 >= bodyLine) return [];
      return {
        ...at,
        message: `\`${place}\` must be on its own line of the text, with an empty line before and after.`,
      };
    }),
  );
}

/** What a mail can show in every program, as text and as HTML. */
const ALLOWED: ReadonlySet<Nodes["type"]> = new Set<Nodes["type"]>([
  ...(["root", "paragraph", "text", "strong", "emphasis", "heading", "list", "listItem", "link"] as const),
  ...(["break", "thematicBreak"] as const),
]);

function findTextProblems(file: string, body: string, bodyLine: number): Problem[] {
  const problems: Problem[] = [];
  const tree = unified()
    .use(remarkParse)
    .parse("\n".repeat(bodyLine - 1) + body);
  if (body.trim() === "") problems.push({ file, line: bodyLine, message: "The mail has no text." });
  visit(tree, (node) => {
    const at = { file, line: node.position?.start.line ?? bodyLine };
    if (!ALLOWED.has(node.type))
      problems.push({ ...at, message: "A mail can have text, headings, lists and links, and nothing else." });
    if (node.type === "heading" && node.depth !== 2)
      problems.push({ ...at, message: "A heading in a mail has two signs: `## Your order`." });
    if (node.type === "link" && !/^(https:\/\/|mailto:|tel:|\/(?!\/))/.test(node.url))
      problems.push({
        ...at,
        message: `A link in a mail starts with /, https://, mailto: or tel:, and not as \`${node.url}\`.`,
      });
  });
  return problems;
}
