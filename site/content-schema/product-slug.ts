import { z } from "astro/zod";
import { isSlug } from "../../api/contract/patterns.ts";
import { editedAs } from "./fields.ts";

const NO_SLUG = "isn't a product's file name. Leave out the folder and .md: `kestrel-c2`.";

/** A product as another page names it. */
export const productSlug = editedAs("product", z.string({ error: NO_SLUG }).refine(isSlug, NO_SLUG));
