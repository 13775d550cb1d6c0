import { readFile } from "node:fs/promises";

interface Described {
  operationId: string;
  security?: object[];
  tags: string[];
  summary: string;
  description: string;
  parameters?: { name: string; example?: unknown; description?: string; schema: object }[];
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: object[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

/** Where the document is committed. */
export const file = new URL("../../api/openapi.json", import.meta.url);
/** The committed document. */
export const document: Document = JSON.parse(await readFile(file, "utf8"));
