import { z } from "astro/zod";
import { line, strict } from "./fields.ts";

/** A product's pictures, the main one first, each with its description. `picture` reads the path of one. */
export const images = <Picture extends z.ZodType>(picture: Picture) =>
  z
    .array(strict({ src: picture, alt: line("alt: The scanner in its cradle, seen from the left", 250) }), {
      error: "is missing. Write a list: `- src: ./kestrel-c2.svg` and below it `alt: …`.",
    })
    .min(1, "needs at least one picture.");
