/**
 * Characters that nobody sees, and that turn the direction of others: Unicode's Default_Ignorable_Code_Point (zero width,
 * soft hyphen, bidi controls, fillers, tags), noncharacters, of which XML can't hold all, interlinear annotation, and what
 * stands for a picture that wasn't copied (U+FFFC). Joiners are looked at apart.
 */
export const HIDDEN =
  /(?![\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\uFFF9-\uFFFC]/gu;

/** The text without hidden characters, joiners aside, and without control characters that aren't blanks. */
export const withoutHidden = (text: string): string =>
  text.replaceAll(HIDDEN, "").replaceAll(/(?![\t-\r\u0085])\p{Cc}/gu, "");
