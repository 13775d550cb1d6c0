import { categorySchema } from "../../content-schema/category.ts";
import { mailSchema } from "../../content-schema/mail.ts";
import { makerSchema } from "../../content-schema/maker.ts";
import { guideSchema, pageSchema } from "../../content-schema/page.ts";
import { productSchema } from "../../content-schema/product.ts";
import { shopSchema } from "../../content-schema/shop.ts";
import { fieldsOf } from "./fields.ts";
import type { FileFormat } from "./writer.ts";

const formats = {
  products: { fields: fieldsOf(productSchema(undefined)), body: "markdown" },
  categories: { fields: fieldsOf(categorySchema), body: "markdown" },
  makers: { fields: fieldsOf(makerSchema), body: "markdown" },
  guides: { fields: fieldsOf(guideSchema), body: "markdown" },
  pages: { fields: fieldsOf(pageSchema), body: "markdown" },
  // The names in braces are no Markdown.
  mails: { fields: fieldsOf(mailSchema), body: "mdx" },
  store: { fields: fieldsOf(shopSchema), body: "none" },
} as const satisfies Record<string, FileFormat>;

export type FormatName = keyof typeof formats;

/** How a kind of file is edited. */
export const formatNamed = (name: FormatName): FileFormat => formats[name];

/** How a file of the repository is edited; undefined for pictures, documents and other files. */
export function formatOf(path: string): FileFormat | undefined {
  if (path === "content/store.yaml") return formats.store;
  const [, folder = "", type] =
    /^content\/(products|categories|makers|guides|pages|mails)\/.*\.(mdx?)$/.exec(path) ?? [];
  if (folder === "") return undefined;
  const format: FileFormat = formats[folder as FormatName];
  return type === "mdx" ? { ...format, body: "mdx" } : format;
}
