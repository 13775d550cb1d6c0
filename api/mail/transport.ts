import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { MailAddress, MailSettings, SmtpServer } from "./settings.ts";

export interface Mail {
  /** The part of the Message-ID before the @, which also names the file. */
  id: string;
  /** The part after it. */
  host: string;
  from: MailAddress;
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * How an attempt ended. `refused`: the server said for good that it doesn't take this mail or its recipient. `failed`
 * may succeed later. `fault` has no addresses and nothing of the server's text, which quotes them.
 */
export type MailResult = { outcome: "sent" } | { outcome: "refused" | "failed"; fault: string };

/** Makes one attempt. Never throws: failures are results. */
export type SendMail = (mail: Mail) => Promise<MailResult>;

interface TransportOptions {
  connectMs?: number;
  totalMs?: number;
}

/** The maximum duration of an attempt, which a stop waits for. */
const ATTEMPT_MS = 15_000;

export function makeTransport(
  { transport }: Pick<MailSettings, "transport">,
  { connectMs = 5_000, totalMs = ATTEMPT_MS }: TransportOptions = {},
): SendMail {
  const deliver =
    "smtp" in transport
      ? (mail: Mail, message: Buffer) => speakSmtp(transport.smtp, mail, message, connectMs, totalMs)
      : (mail: Mail, message: Buffer) => writeEml(transport.folder, mail, message);
  return async (mail) => {
    try {
      await deliver(mail, await compose(mail));
      return { outcome: "sent" };
    } catch (error) {
      return explainFailure(error);
    }
  };
}

/** Addresses are given in parts, since a text such as "a@b, c@d" would be read as two recipients. */
function compose({ id, host, from, to, replyTo, subject, text, html }: Mail): Promise<Buffer> {
  const address = (each: string): MailAddress => ({ name: "", address: each });
  const composer = new MailComposer({
    messageId: `<${id}@${host}>`,
    from,
    to: address(to),
    replyTo: address(replyTo),
    subject: subject.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(),
    text,
    html,
    // RFC 3834: no out-of-office reply to a machine.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "win",
  });
  return composer.compile().build();
}

/** Not nodemailer's transporter, which has no limit for an attempt as a whole. */
function speakSmtp(
  { auth, ...server }: SmtpServer,
  mail: Mail,
  message: Buffer,
  connectMs: number,
  totalMs: number,
): Promise<void> {
  const connection = new SMTPConnection({
    ...server,
    name: mail.host,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: totalMs,
    // A password never crosses a network unencrypted, even if somebody strips STARTTLS from the server's answer.
    requireTLS: auth !== undefined && !server.secure && !isLoopback(server.host),
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (error?: Error | null) => (error ? reject(error) : resolve());
  const timer = setTimeout(() => end(Object.assign(new Error("Timeout"), { code: "ETIMEDOUT" })), totalMs);
  const send = () =>
    connection.send({ from: mail.from.address, to: mail.to, size: message.length }, message, (error) => end(error));
  connection.on("error", end);
  connection.on("end", () =>
    end(Object.assign(new Error("The server closed the connection."), { code: "ECONNECTION" })),
  );
  connection.connect((error) => {
    if (error) end(error);
    else if (auth)
      connection.login({ user: auth.user, pass: auth.pass, credentials: auth }, (fault) =>
        fault ? end(fault) : send(),
      );
    else send();
  });
  return promise
    .then(() => connection.quit())
    .finally(() => {
      clearTimeout(timer);
      // quit() waits for the server's answer; nothing depends on it.
      setTimeout(() => connection.close(), 1_000).unref();
    });
}

const isLoopback = (host: string) => /^(127\.[0-9.]+|::1|localhost)$/.test(host);

/** Only what concerns this mail is final: a wrong password or a refused sender is the shop's mistake, and can be mended. */
function explainFailure(error: unknown): MailResult {
  const { code = "unexpected", command, responseCode }: Record<string, unknown> = Object(error);
  if (typeof responseCode !== "number") return { outcome: "failed", fault: String(code) };
  const final = responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
  return {
    outcome: final ? "refused" : "failed",
    fault: `${responseCode} in answer to ${command ?? "the connection"}`,
  };
}

/** Atomic: the complete file or nothing. A second attempt replaces the file of the first. */
async function writeEml(folder: string, { id }: Mail, message: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${id}.eml`);
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, message, { mode: 0o600, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
