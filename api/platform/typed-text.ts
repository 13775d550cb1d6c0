import { HIDDEN } from "../contract/hidden-characters.ts";

/**
 * What chooses another form of the character before it: of an ideograph, as in Japanese names, of a Mongolian letter or of
 * an emoji, keycaps among them; and the tags of a flag such as Scotland's (UTS #51, ED-14a). After other characters it
 * changes nothing that is seen.
 */
const FORM =
  /(?<=\p{Ideographic})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3)|(?<=\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{0,6})[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}\u{E007F}]/u;

/**
 * Joiners that aren't in words and emoji: between two of their characters, or after a virama (RFC 5892, appendix A). Not
 * \p{Emoji}, which has the digits.
 */
const STRAY_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D]|(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;

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
