import { z } from "astro/zod";
import { editedAs, slugPattern } from "./fields.ts";

/** A product as another page names it. */
export const productSlug = editedAs(
  "product",
  z.string().regex(slugPattern, "isn't a product's file name. Leave out the folder and .md: `kestrel-c2`."),
);
