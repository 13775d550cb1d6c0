import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { isSeq } from "yaml";
import { nearest } from "../content-schema/suggest.ts";
import { factOf, isDocument, type KnownPage } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import { ownPath } from "./links.ts";
import { pdfAuthor } from "./pdf-author.ts";
import type { Problem } from "./problem.ts";

/** Finds documents of a product whose file is missing or isn't what its name says, and links to the shop itself. */
export function findDocumentProblems(
  root: string,
  known: KnownPage,
  paths: ReadonlySet<string>,
  baseUrl: string | undefined,
): Problem[] {
  const { file } = known.page;
  return readDocuments(known).flatMap(({ field, text, line }) => {
    const message = field === "file" ? fileProblem(root, file, text, paths) : linkProblem(text, baseUrl);
    if (message !== undefined) return [{ file, line, message }];
    const doubt = field === "file" ? authorDoubt(join(root, posix.dirname(file), text)) : undefined;
    return doubt === undefined ? [] : [{ file, line, message: doubt, isWarning: true }];
  });
}

const readDocuments = factOf("documents", ({ page, yaml }) => {
  if (yaml === undefined || page.kind !== "product") return [];
  const { node } = locate(yaml, ["documents"]);
  return (isSeq(node) ? node.items : []).flatMap((_, index) =>
    (["file", "link"] as const).flatMap((field) => {
      const path = ["documents", index, field];
      const text: unknown = yaml.document.getIn(path);
      return typeof text === "string" ? [{ field, text, line: locate(yaml, path).line }] : [];
    }),
  );
});

function linkProblem(address: string, baseUrl: string | undefined): string | undefined {
  const own = ownPath(address, baseUrl);
  return own && `The document ${own} is the shop's own. Put the file beside this one and write \`file: ./…\`.`;
}

function fileProblem(root: string, product: string, name: string, paths: ReadonlySet<string>): string | undefined {
  const path = posix.join(posix.dirname(product), name);
  // The schema reports another place or type.
  if (!name.startsWith("./") || !isDocument(path)) return undefined;
  if (!paths.has(path)) {
    const siblings = [...paths].filter((each) => posix.dirname(each) === posix.dirname(path) && isDocument(each));
    const near = nearest(
      posix.basename(path),
      siblings.map((each) => posix.basename(each)),
    );
    return `No file ${name}.${near === undefined ? " Check its name, and that it is committed." : ` Did you mean \`./${near}\`?`}`;
  }
  const bytes = readFileSync(join(root, path));
  const start = signatures.get(posix.extname(path));
  if (start === undefined ? isUtf8(bytes) : bytes.subarray(0, start.length).toString("latin1") === start)
    return undefined;
  return start === undefined
    ? `${name} isn't in UTF-8. Save it with the encoding “UTF-8”.`
    : `${name} isn't a ${posix.extname(path).slice(1).toUpperCase()} file, although its name says so. Save it again.`;
}

function authorDoubt(path: string): string | undefined {
  if (!path.endsWith(".pdf") || !existsSync(path)) return undefined;
  const author = pdfAuthor(readFileSync(path));
  return (
    author &&
    `./${posix.basename(path)} names “${author}” as its author. Save it without, unless visitors may read that.`
  );
}

/** How files of a type begin (ISO 32000-2, 7.5.2; APPNOTE.TXT 4.3.7). */
const signatures = new Map([
  [".pdf", "%PDF-"],
  [".zip", "PK\u0003\u0004"],
]);
