import type { ParsedMail } from "mailparser";
import type { Db } from "../../../api/platform/database/pool.ts";
import { readMail } from "../../../api/platform/mail/settings.ts";
import { openBuilds } from "../../../api/platform/private-pages/builds.ts";
import { mailQueue, makeMailing } from "../../../api/selling/mail/attempt.ts";
import { openMails } from "../../../api/selling/mail/render.ts";
import { startSmtp } from "../selling/mail/mail-shop.ts";

interface Received {
  to: string | undefined;
  mail: ParsedMail;
}

const log = { info() {}, warn() {}, error() {} };

/** Opens a mail server. The function that it returns sends what is due, and returns what has arrived since the last time. */
export async function openMailbox({ db, sessionPages }: { db: Db; sessionPages: string }) {
  const smtp = await startSmtp();
  const settings = readMail({ SMTP_URL: smtp.url }, []);
  if (!settings) throw new Error("The mail server has no address.");
  const queue = mailQueue(makeMailing(db, settings, openMails(openBuilds(sessionPages), log)), log);
  return async (): Promise<Received[]> => {
    for (const id of await queue.findDue(100)) await (await queue.claim(id))?.();
    return smtp.received.splice(0).map(({ to, mail }) => ({ to: to[0], mail }));
  };
}

/** The code in a mail. */
export function codeOf(mails: readonly Received[]): string {
  const [code] = /\b\d{6}\b/.exec(mails.at(-1)?.mail.text ?? "") ?? [];
  if (!code) throw new Error("No mail has a code.");
  return code;
}
