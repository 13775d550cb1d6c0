import type { ContentFiles } from "../../content-check/content-files.ts";
import { guideSchema } from "../../content-schema/guide.ts";
import { pageSchema } from "../../content-schema/page.ts";
import { guidePath, pagePath } from "../../urls/paths.ts";
import { fieldProblem, nameProblem, slugOf } from "./answers.ts";
import type { Ask } from "./dialogue.ts";
import { type NewContent, writePage } from "./new-content.ts";

const kinds = {
  guide: { schema: guideSchema, folder: "guides", path: guidePath },
  page: { schema: pageSchema, folder: "pages", path: pagePath },
};

/** Asks what a guide or a page needs. */
export async function newText(kind: "guide" | "page", ask: Ask, content: ContentFiles): Promise<NewContent> {
  const { schema, folder, path } = kinds[kind];
  const check = (field: string) => (answer: string) => fieldProblem(schema, field, answer);
  const title = await ask({ text: "Title", check: check("title") });
  const summary = await ask({ text: "Summary, one sentence", check: check("summary") });
  const slug = await ask({
    text: "Name of the file, and so of its address",
    otherwise: slugOf(title),
    check: (answer) => nameProblem(answer, kind, content),
  });
  return {
    path: path(slug),
    files: [{ file: `content/${folder}/${slug}.md`, content: writePage({ title, summary }, ["First heading"]) }],
  };
}
