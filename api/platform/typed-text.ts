/**
 * Characters that nobody sees, and that turn the direction of others: Unicode's Default_Ignorable_Code_Point (zero width,
 * soft hyphen, bidi controls, fillers, tags) and interlinear annotation. Joiners are looked at apart.
 */
const HIDDEN = /(?![\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu;

/** The text without hidden characters, joiners aside, and without control characters that aren't blanks. */
export const withoutHidden = (text: string): string =>
  text.replaceAll(HIDDEN, "").replaceAll(/(?![\t-\r\u0085])\p{Cc}/gu, "");

/**
 * What chooses another form of the character before it: of an emoji or of a letter, as in Japanese names, and the tags of
 * a flag such as Scotland's (UTS #51, ED-14a).
 */
const FORM =
  /(?<=[\p{L}\p{N}\p{S}\p{P}\p{M}])(?<!\p{Default_Ignorable_Code_Point})\p{Variation_Selector}|(?<=\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{0,6})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}\u{E007F}]/u;

/** Joiners in words and emoji: between two of their characters, or after a virama (RFC 5892, appendix A). */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Emoji}])[\u200C\u200D]|(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D](?![\p{L}\p{M}\p{Emoji}])/gu;

const HIDDEN_WITHOUT_FORM = new RegExp(`(?!${FORM.source})(?:${HIDDEN.source})`, "gu");

/**
 * A text that somebody typed or pasted, as the shop stores it: in NFC, without blanks around it and without characters
 * that nobody sees, which would reach labels, mails and the ERP. Joiners and forms that make up a word or an emoji stay.
 * Each line break and tab becomes a blank, unless `lines` keeps line breaks, as "\n".
 */
export function readTyped(text: string, { lines = false } = {}): string {
  const broken = text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n").replaceAll(lines ? "\t" : /[\t\n]/g, " ");
  return broken
    .replaceAll(/(?!\n)\p{Cc}/gu, "")
    .replaceAll(HIDDEN_WITHOUT_FORM, "")
    .replaceAll(STRAY_JOINER, "")
    .replaceAll("\u2800", " ") // an empty pattern of Braille
    .trim()
    .normalize("NFC");
}
