import { z } from "astro/zod";
import { readEmailAddress } from "../../api/contract/email-address.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import { countryAs } from "./country.ts";
import { describeWrongInput, line, quoted, slugOf, strict, text } from "./fields.ts";

/** A maker as a product names it. */
export const makerSlug = text("maker: kestrel").refine(isSlug, {
  error: ({ input }) => {
    const slug = slugOf(String(input).replace(/^.*\/|\.md$/g, "")) ?? "kestrel";
    return `${quoted(input)} isn't a maker's file name. Write it without folder and .md: \`${slug}\`.`;
  },
});

/** Who stands behind a product, and how to reach them by post and electronically. */
const person = {
  name: line("name: Kestrel Instruments B.V.", 160),
  address: line("address: Kanaalweg 12, 3526 KL Utrecht, Netherlands", 250),
  country: countryAs("country: NL"),
  email: text("email: safety@kestrel.example")
    .refine((address) => readEmailAddress(address) !== undefined, {
      error: ({ input }) => `${quoted(input)} isn't an e-mail address. Write one such as \`safety@kestrel.example\`.`,
    })
    .optional(),
  web: z
    .url({
      protocol: /^https?$/,
      abort: true,
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a web address.")} Write it whole: \`https://kestrel.example/contact\`.`,
    })
    // Programs that read the page's JSON-LD want a URI (RFC 3986).
    .regex(/^[!-~]+$/, {
      error: ({ input }) =>
        `${quoted(input)} has a blank or a letter beyond ASCII. Write \`web: ${new URL(String(input)).href}\`.`,
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
