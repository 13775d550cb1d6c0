import { z } from "astro/zod";
import { DOCUMENT_KINDS } from "../../api/contract/document-kinds.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import { describeInput, describeWrongInput, editedAs, line, strict } from "./fields.ts";
import { didYouMean } from "./suggest.ts";

/** The file types of documents, without the dot. */
export const documentTypes = ["pdf", "txt", "zip"] as const;
export type DocumentType = (typeof documentTypes)[number];

const kind = z.enum(DOCUMENT_KINDS, {
  error: ({ input }) =>
    describeWrongInput(input, `isn't one of ${DOCUMENT_KINDS.join(", ")}.`) +
    (typeof input === "string" ? didYouMean(input, DOCUMENT_KINDS) : " Write, for example, `kind: manual`."),
});

const fileAdvice = "Put it beside the product's file, and write its name like `file: ./kestrel-c2-manual.pdf`";

const documentName = new RegExp(`^\\./(.+)\\.(${documentTypes.join("|")})$`);
const isDocumentName = (path: string) => isSlug(documentName.exec(path)?.[1] ?? "");

const file = editedAs(
  "document",
  z.string({ error: ({ input }) => `${describeInput(input)} ${fileAdvice}.` }).refine(isDocumentName, {
    error: ({ input }) =>
      `"${String(input)}" can't be published. ${fileAdvice}: lowercase letters, digits and hyphens, with the ending ${documentTypes.join(", ")}.`,
  }),
);

const link = z
  .string({ error: ({ input }) => `${describeInput(input)} Write the whole address, \`link: https://…\`.` })
  .refine((text) => /^https:\/\/[^\s/]+\.[^\s/]+/.test(text) && URL.canParse(text), {
    error: ({ input }) => `"${String(input)}" isn't an address that starts with https://. Copy it from the browser.`,
  });

const language = z
  .string({ error: ({ input }) => `${describeInput(input)} Write, for example, \`language: en\`.` })
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, {
    error: ({ input }) => `"${String(input)}" isn't the code of a language. Write, for example, \`language: en\`.`,
  });

const document = strict({
  kind,
  title: line("title: Quick start", 100),
  file: file.optional(),
  link: link.optional(),
  language,
}).superRefine(({ file, link }, context) => {
  if ((file === undefined) !== (link === undefined)) return;
  const message =
    file === undefined
      ? `needs a \`file\` or a \`link\`. ${fileAdvice}.`
      : "has a `file` and a `link`. Delete one of them.";
  context.addIssue({ code: "custom", message });
});

/** Data sheets, manuals and drivers of a product: files beside its own, or links. */
export const documents = z
  .array(document, {
    error: ({ input }) => `${describeInput(input, "a list")} Write \`- kind: manual\`, and below it \`title: …\`.`,
  })
  .default([]);
