import { z } from "astro/zod";
import { saysWhatIsThere } from "./fields.ts";

/** Names of an editor's choice, each with a value: specifications, options. `example` is a whole line that could stand there. */
export const named = <Value extends z.ZodType>(name: z.ZodString, value: Value, example: string) =>
  z
    .unknown()
    .superRefine(refusePrototype)
    .pipe(
      z.record(name, value, {
        error: ({ input }) =>
          `${saysWhatIsThere(input, "names with values")} Write \`${example}\` below it, indented and without a hyphen.`,
      }),
    );

/** JavaScript can't keep a value of this name: zod passes over it, and Astro fails when it stores the page. */
function refusePrototype(names: unknown, context: z.core.$RefinementCtx) {
  if (typeof names !== "object" || names === null || !Object.hasOwn(names, "__proto__")) return;
  context.addIssue({ code: "custom", path: ["__proto__"], message: "can't be a name. Write other words." });
}
