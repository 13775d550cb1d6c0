import { domainToUnicode } from "node:url";
import { JOINERS, spellEmail } from "../../contract/email-address.ts";
import { withoutHidden } from "../../contract/hidden-characters.ts";

/** The same for all spellings of an address, whatever their case: how addresses are compared. */
export const emailKey = (text: string): string | undefined => spellEmail(text)?.toLowerCase();

/** Whether a text that somebody wrote has an address with this key in it, which isn't part of a longer one. */
export function mentionsEmail(text: string, key: string): boolean {
  const spelled = withoutHidden(text).replaceAll(JOINERS, "").normalize("NFKC").toLowerCase();
  return [key, showEmail(key)].some((each) => {
    const [first = "", ...others] = spelled.split(each.normalize("NFKC").replaceAll(JOINERS, ""));
    return others.some((after, index) => !goesBefore.test(others[index - 1] ?? first) && !goesAfter.test(after));
  });
}

// More of an address. Letters of languages that are written without spaces may stand beside one.
const goesBefore = /[a-z0-9][._%+-]?$/;
const goesAfter = /^(?:-*|\.)[a-z0-9]/;

/** An address as people read it, with its domain in their letters. */
export function showEmail(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (domainToUnicode(address.slice(at)) || address.slice(at));
}
