import Type from "typebox";
import { cleanQuery } from "../../people/search/find.ts";
import { ApiError } from "../../platform/http/problem.ts";

/** What is searched for, in the customer's words. */
export const Query = Type.String({ maxLength: 1_000 });

/** The words of a query, as /search reads them. Throws ApiError if there are none; `otherwise` is what else the tool takes. */
export function readQuery(text: string, otherwise = ""): string {
  const query = cleanQuery(text);
  if (/[\p{L}\p{N}]/u.test(query)) return query;
  throw new ApiError("unprocessable", `The query has no words. Write what is looked for${otherwise}.`, {
    errors: [{ in: "body", field: "arguments.query", detail: "Write at least one word." }],
  });
}
