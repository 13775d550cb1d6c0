// `npm run new`, as USAGE says.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { readContentFiles } from "../content-check/content-files.ts";
import { checkStoreFile } from "../content-check/store-file.ts";
import { openContentRoot } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { converse } from "./new-content/dialogue.ts";
import { type NewContent, newProduct, newText } from "./new-content/questions.ts";

const USAGE = `Usage: npm run new product | npm run new guide | npm run new page

Asks what it needs, and writes a valid draft.`;

const project = join(import.meta.dirname, "..", "..");
const kinds = ["product", "guide", "page"] as const;

/** Writes all files or none, and never overwrites one. */
function write(root: string, files: NewContent["files"]): void {
  const taken = files.find(({ file }) => existsSync(join(root, file)));
  if (taken) throw new ContentError(`${taken.file} already exists. Nothing was written.`);
  const written: string[] = [];
  try {
    for (const { file, content } of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content, { flag: "wx" });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(join(root, file));
    throw error;
  }
}

const { positionals } = readArguments(USAGE, {}, [1]);
const [wish = ""] = positionals;
try {
  const kind = kinds.find((each) => each === wish);
  if (kind === undefined)
    throw new ContentError(`There is no \`npm run new ${wish}\`.${didYouMean(wish, kinds)}\n\n${USAGE}`);
  const root = openContentRoot(project);
  const content = readContentFiles(root);
  const { currency } = checkStoreFile(root);
  const { path, files } = await converse((ask) =>
    kind === "product" ? newProduct(ask, content, currency) : newText(kind, ask, content),
  );
  write(root, files);
  console.log(`
Written, as a draft:
${files.map(({ file }) => `  ${file}`).join("\n")}

Next:
  1. Open the first file, and write what is \`?\` still.
  2. Look at it: \`npm run dev\`, then ${path}. Nobody else sees it.
  3. \`npm run check:content\` says what is missing. When it is right, take out the line \`draft: true\`.`);
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
