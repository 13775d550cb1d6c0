import { readFile } from "node:fs/promises";

export interface Described {
  operationId: string;
  security?: object[];
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: ValueSchema }> };
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>;
}
export interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  description?: string;
  schema: ValueSchema;
}
/** The schema of a parameter or of a body's field. */
export interface ValueSchema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  example?: unknown;
  properties?: Record<string, ValueSchema>;
  required?: string[];
  items?: ValueSchema;
  minItems?: number;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: object[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

export const file = new URL("../../../../api/openapi.json", import.meta.url);
export const document: Document = JSON.parse(await readFile(file, "utf8"));
