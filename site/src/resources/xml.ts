const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

// Outside of the Char production of XML 1.0 (§2.2), and half characters.
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that may stand in an element or an attribute. What XML can't hold in any form is left out. */
export const escapeXml = (text: string): string =>
  text.replace(impossible, "").replace(/[&<>"']/g, (character) => entities[character] ?? character);
