import { isAbsolute } from "node:path";
import { readMailbox } from "../../contract/email-address.ts";

export interface MailAddress {
  name: string;
  address: string;
}

/** A mail server (RFC 8314: `smtps` is TLS from the start, `smtp` upgrades by STARTTLS). */
export interface SmtpServer {
  host: string;
  port: number;
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

/** Where mails go: to a server, or into a folder as `.eml` files. */
export interface MailSettings {
  transport: { smtp: SmtpServer } | { folder: string };
  /** Undefined: the shop's name and sales_email. */
  from: MailAddress | undefined;
}

type Source = Readonly<Record<string, string | undefined>>;

const URL_ADVICE =
  "Write SMTP_URL=smtps://user:password@mail.example:465, or smtp:// for STARTTLS, with special characters percent-encoded.";
const FROM_ADVICE = "Write an address, or a name and an address: MAIL_FROM=Counterwell <orders@shop.example>.";
const FOLDER_ADVICE = "Write the absolute path of a folder for .eml files, or set SMTP_URL alone.";

/**
 * Reads SMTP_URL, MAIL_FROM and MAIL_FOLDER; an empty one counts as unset. Adds one sentence to `problems` for each
 * invalid one, without quoting it. Returns undefined when mails have nowhere to go, or a setting is invalid.
 */
export function readMail(source: Source, problems: string[]): MailSettings | undefined {
  const before = problems.length;
  const [url, sender, folder] = [source["SMTP_URL"], source["MAIL_FROM"], source["MAIL_FOLDER"]];
  const smtp = url ? readServer(url) : undefined;
  if (url && !smtp) problems.push(`SMTP_URL is not usable. ${URL_ADVICE}`);
  const from = sender ? readSender(sender) : undefined;
  if (sender && !from) problems.push(`MAIL_FROM is not usable. ${FROM_ADVICE}`);
  if (folder && !isAbsolute(folder)) problems.push(`MAIL_FOLDER is not usable. ${FOLDER_ADVICE}`);
  if (folder && url) problems.push(`MAIL_FOLDER and SMTP_URL are both set. ${FOLDER_ADVICE}`);
  if (problems.length > before) return undefined;
  if (smtp) return { transport: { smtp }, from };
  return folder ? { transport: { folder }, from } : undefined;
}

function readServer(value: string): SmtpServer | undefined {
  const url = URL.canParse(value) && /^smtps?:\/\/[^\s#?]+$/i.test(value) ? new URL(value) : undefined;
  if (!url || url.hostname === "" || !["", "/"].includes(url.pathname)) return undefined;
  // Both or neither: a server that asks for one asks for the other.
  if ((url.username === "") !== (url.password === "")) return undefined;
  const secure = url.protocol === "smtps:";
  const port = Number(url.port || (secure ? 465 : 587));
  try {
    const auth = url.username
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined;
    return port > 0 ? { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, secure, auth } : undefined;
  } catch {
    return undefined; // a stray percent sign
  }
}

function readSender(value: string): MailAddress | undefined {
  const [, name = "", address = value] = /^([^<>"\p{Cc}]*?) *<([^<>]*)>$/u.exec(value) ?? [];
  const mailbox = readMailbox(address);
  return mailbox === undefined ? undefined : { name, address: mailbox };
}
