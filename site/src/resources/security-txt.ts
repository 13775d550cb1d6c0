import { daysLeft } from "../../content-schema/fields.ts";
import type { Shop } from "../../content-schema/shop.ts";
import { absoluteUrl, securityTxtPath } from "../../urls/paths.ts";

/**
 * Writes security.txt (RFC 9116): the contact for vulnerabilities, its languages and expiry. Undefined if store.yaml has no
 * `security` or it has expired: an expired file must not be used (§5.3).
 */
export function writeSecurityTxt(
  { base_url, locale, security }: Pick<Shop, "base_url" | "locale" | "security">,
  now: Date,
): string | undefined {
  if (!security || daysLeft(security.expires, now) < 0) return undefined;
  const fields = [
    `Contact: ${security.contact}`,
    `Expires: ${security.expires}T23:59:59Z`,
    `Preferred-Languages: ${new Intl.Locale(locale).language}`,
    `Canonical: ${absoluteUrl(securityTxtPath, base_url)}`,
  ];
  return `${fields.join("\n")}\n`;
}
