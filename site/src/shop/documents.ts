import type { CollectionEntry } from "astro:content";
import { statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { DocumentKind } from "../../../api/contract/document-kinds.ts";
import type { DocumentType } from "../../content-schema/documents.ts";
import { documentPath } from "../../urls/paths.ts";

/** A data sheet, manual or driver of a product. */
export interface ProductDocument {
  kind: DocumentKind;
  title: string;
  /** A tag of BCP 47, such as `de`. */
  language: string;
  /** The path of a file of ours, or the address of another website. */
  href: string;
  /** What of a file of ours is published; `source` is relative to site/, where Astro runs. */
  file?: { source: string; type: DocumentType; bytes: number };
}

/** The media types of documents. */
export const mediaTypes: Readonly<Record<DocumentType, string>> = {
  pdf: "application/pdf",
  txt: "text/plain",
  zip: "application/zip",
};

/** Reads a product's documents, with the sizes of its files. */
export function documentsOf({ data, filePath = "" }: CollectionEntry<"products">, slug: string): ProductDocument[] {
  return data.documents.map(({ kind, title, language, file, link = "" }) => {
    if (file === undefined) return { kind, title, language, href: link };
    const source = join(dirname(filePath), file);
    const type = extname(file).slice(1) as DocumentType;
    const { size: bytes } = statSync(source);
    return { kind, title, language, href: documentPath(slug, basename(file)), file: { source, type, bytes } };
  });
}
