import type { FastifyRequest } from "fastify";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";

/** What the form of the page for many counts sends. */
export interface TypedList {
  opened: string;
  /** What was typed or pasted, and what the chosen file holds; "" for none. */
  text: string;
  file: string;
}

/**
 * Reads a form with a file (RFC 7578). Node's own parser holds all of it, which the limit of the request's bytes allows.
 */
export async function parseTypedList({ headers }: FastifyRequest, body: Buffer): Promise<TypedList> {
  const type = headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(body), { headers: { "Content-Type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new PageProblem("bad-request", { cause });
    });
  const textOf = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const file = form.get("file");
  return {
    opened: textOf("opened"),
    text: textOf("text"),
    // A browser sends an empty file where none was chosen.
    file: file === null || typeof file === "string" ? "" : await file.text(),
  };
}
