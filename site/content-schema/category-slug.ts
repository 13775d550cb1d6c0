import { z } from "astro/zod";
import { describeInput, editedAs } from "./fields.ts";

const wanted = "Write the name of a category's file, without `.md`.";

/** A category as another file names it: the check says whether it exists. */
export const categorySlug = editedAs(
  "category",
  z.string({ error: ({ input }) => `${describeInput(input)} ${wanted}` }).min(1, `is empty. ${wanted}`),
);
