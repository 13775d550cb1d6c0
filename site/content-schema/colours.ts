import { z } from "astro/zod";
import { quoted, strict } from "./fields.ts";

/** A colour as style sheets write it. Without quotes YAML takes it for a comment, and the field is empty. */
const colour = (example: string) =>
  z
    .string({ error: `is missing. Write it in quotes, else # begins a comment: \`${example}\`.` })
    .regex(/^#[0-9a-f]{6}$/i, {
      error: ({ input }) => `${quoted(input)} is no colour. Write # and six digits or letters a-f: \`${example}\`.`,
    });

const scheme = (accent: string, paper: string) =>
  strict({
    /** Links, buttons, and what is chosen. */
    accent: colour(accent),
    /** The ground of the page. */
    paper: colour(paper).optional(),
  });

/** The shop's own colours on light and on dark screens; what follows from them is in palette.ts. */
export const colours = strict({
  light: scheme('accent: "#0b5750"', 'paper: "#f7f6f2"'),
  dark: scheme('accent: "#7fd6c8"', 'paper: "#121719"'),
});

export type Colours = z.infer<typeof colours>;
export type Scheme = keyof Colours;
