import { z } from "astro/zod";
import { line, saysWhatIsThere, strict, text } from "./fields.ts";

/** A product's pictures, by their paths from its file on, the main one first, each with its description. */
export const images = z
  .array(
    strict({
      src: text("src: ./kestrel-c2.svg"),
      alt: line("alt: The scanner in its cradle, seen from the left", 250),
    }),
    {
      error: ({ input }) =>
        input == null
          ? `${saysWhatIsThere(input)} Write a list: \`- src: ./kestrel-c2.svg\` and below it \`alt: …\`.`
          : "must be a list. Write a dash before each picture: `- src: …`, and `alt: …` below its src.",
    },
  )
  .min(1, "needs at least one picture.");
