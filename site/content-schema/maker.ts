import { z } from "astro/zod";
import { readEmailAddress } from "../../api/contract/email-address.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import { describeWrongInput, line, quoted, strict, text } from "./fields.ts";

const NO_MAKER = "isn't a maker's file name. Leave out the folder and .md: `kestrel`.";

/** A maker as a product names it. */
export const makerSlug = z.string({ error: NO_MAKER }).refine(isSlug, NO_MAKER);

/** Who stands behind a product, and how to reach them by post and electronically. */
const person = {
  name: line("name: Kestrel Instruments B.V.", 160),
  address: line("address: Kanaalweg 12, 3526 KL Utrecht, Netherlands", 250),
  country: text("country: NL").regex(/^[A-Z]{2}$/, {
    error: ({ input }) =>
      `${describeWrongInput(input, "isn't a country's two-letter code.")} Write, for example, \`country: NL\`.`,
  }),
  email: text("email: safety@kestrel.example")
    .refine((address) => readEmailAddress(address) !== undefined, {
      error: ({ input }) => `${quoted(input)} isn't an e-mail address. Write one such as \`safety@kestrel.example\`.`,
    })
    .optional(),
  web: z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a web address.")} Write it whole: \`https://kestrel.example/contact\`.`,
    })
    .optional(),
};

const NO_ELECTRONIC = "is missing, and so is `web`. Write one of them: customers must reach them electronically.";

/** Regulation (EU) 2023/988, Art. 19, wants an e-mail address or a page to write on. */
function checkElectronic({ email, web }: { email?: unknown; web?: unknown }, context: z.core.$RefinementCtx) {
  if (email === undefined && web === undefined)
    context.addIssue({ code: "custom", path: ["email"], message: NO_ELECTRONIC });
}

/** content/makers/<slug>.md: who makes a product, as its page says it by Regulation (EU) 2023/988, Art. 19. */
export const makerSchema = strict({
  ...person,
  /** Who answers for a maker outside the EU. */
  responsible: strict(person).superRefine(checkElectronic).optional(),
}).superRefine(checkElectronic);

export type Maker = z.infer<typeof makerSchema>;
