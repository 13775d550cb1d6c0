import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { DocumentType } from "../../../../content-schema/documents.ts";
import { readCatalogue } from "../../../shop/catalogue.ts";
import { mediaTypes } from "../../../shop/documents.ts";

interface Props {
  source: string;
  type: DocumentType;
}

export async function getStaticPaths() {
  const { products } = await readCatalogue();
  return products.flatMap(({ slug, documents }) =>
    documents.flatMap(({ file }) =>
      file === undefined ? [] : { params: { product: slug, file: basename(file.source) }, props: file satisfies Props },
    ),
  );
}

export const GET = ({ props: { source, type } }: { props: Props }) =>
  new Response(readFileSync(source), { headers: { "Content-Type": mediaTypes[type] } });
