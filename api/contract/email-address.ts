import { withoutHidden } from "./hidden-characters.ts";

/**
 * An e-mail address in the one form in which the shop stores it and sends to it: the mailbox as it was typed, whose
 * meaning and case are its host's alone (RFC 5321 §2.4), and the domain in ASCII and small letters (IDNA). What people
 * paste becomes the same: invisible characters go, and full-width letters become those of ASCII. A mailbox in other
 * letters (RFC 6531) stays as it is, in NFC (RFC 6532 §3.1). Undefined for a text without one @ between two parts.
 *
 * It takes every spelling that a mail may ever have reached, so that an order is found by it; for new addresses there
 * is readEmailAddress. Nobody ordered with `<ada@example.com>` or `mailto:ada@example.com`: whoever writes that hears
 * that it isn't an address, not that it's unknown.
 */
export function spellEmail(text: string): string | undefined {
  const plain = withoutHidden(text).replaceAll(/^[\s\u2800\u200C\u200D]+|[\s\u2800\u200C\u200D]+$/g, "");
  const [, mailbox, domain] = PARTS.exec(plain.replaceAll(/[\uFF20\uFE6B]/g, "@")) ?? [];
  return mailbox && domain ? `${toAscii(mailbox.replaceAll(JOINERS, ""))}@${spellDomain(domain)}` : undefined;
}

const PARTS = /^([^\s@<>()[\]\\,;:"]+)@([^\s@<>()[\]\\,;:"]+)$/u;

/** Compatible characters as ASCII has them, if nothing else is left; else NFC. */
function toAscii(text: string): string {
  const compatible = text.normalize("NFKC");
  return /^\p{ASCII}*$/u.test(compatible) ? compatible : text.normalize("NFC");
}

/** Of two letters or emoji; in an address hidden characters too. */
export const JOINERS = /[\u200C\u200D]/g;

/**
 * Joiners are letters of some domains (RFC 5892, appendix A) and hidden in all others. A full stop at the end is the
 * sentence's, or the root's, which mail addresses leave out (RFC 5321 §4.1.2).
 */
function spellDomain(text: string): string {
  const domain = text
    .normalize("NFKC")
    .replaceAll("。", ".")
    .replace(/(?<=[^.])\.$/, "")
    .toLowerCase();
  // What else ends a host in a URL isn't part of a domain.
  if (!/^[a-z0-9._\-\u0080-\u{10FFFF}]+$/u.test(domain)) return domain;
  const joined = domain.replaceAll(JOINERS, "");
  return toAsciiDomain(domain) ?? toAsciiDomain(joined) ?? joined;
}

/** By IDNA (UTS #46), as URLs have it; undefined where that isn't possible. */
function toAsciiDomain(domain: string): string | undefined {
  const url = `ws://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** RFC 5321 §4.1.2, Dot-string: no quotes, which nearly no mailbox has. */
const MAILBOX = /^[\w!#$%&'*+\-/=?^`{|}~]+(\.[\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** RFC 1123 §2.1; a number at the end would be an IPv4 address. */
const LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const HOST = new RegExp(`^(${LABEL}\\.)*(?![0-9]+$)${LABEL}$`);

/** An address in the form of spellEmail, also of a local host; undefined for what isn't one. */
export function readMailbox(text: string): string | undefined {
  const address = spellEmail(text);
  const [mailbox = "", host = ""] = address?.split("@") ?? [];
  // RFC 5321 §4.5.3.1, without the angle brackets of a path.
  const fits = mailbox.length <= 64 && mailbox.length + 1 + host.length <= 254;
  return fits && MAILBOX.test(mailbox) && HOST.test(host) ? address : undefined;
}

/** An address that mail from anywhere can reach, in the form of spellEmail; undefined for what isn't one. */
export function readEmailAddress(text: string): string | undefined {
  const address = readMailbox(text);
  return address?.includes(".", address.indexOf("@")) ? address : undefined;
}
