import { z } from "astro/zod";
import { checkDigit } from "../../api/contract/gtin.ts";
import { describeWrongInput, quoted } from "./fields.ts";

const example = 'gtin: "2000000000015"';

/** A GTIN-13 with a correct check digit. A string, because a number would lose leading zeros. */
export const gtin = z
  .string({
    error: ({ input }) => `${describeWrongInput(input, "must be text in quotes.")} Write, for example, \`${example}\`.`,
  })
  .superRefine((text, context) => {
    const problem = gtinProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `${quoted(text)} ${problem}` });
  });

function gtinProblem(text: string): string | undefined {
  if (/[\s-]/.test(text)) return "has spaces or hyphens. Write the 13 digits only.";
  if (!/^\d+$/.test(text)) return "can only have digits. Write all 13 of them.";
  if (text.length === 12) return `has 12 digits. Put a zero before a UPC to make it a GTIN: write "0${text}".`;
  if (text.length !== 13) return `has ${text.length} digits. A GTIN has 13.`;
  const right = checkDigit(text.slice(0, 12));
  if (Number(text[12]) === right) return undefined;
  return `has a wrong check digit: the last digit should be ${right}. Check the number for a typo.`;
}
