import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MimeNodeEnvelope } from "nodemailer/lib/mime-node";
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
  /** GIFs that `html` shows by `cid:` and their id. */
  pictures: { id: string; gif: Buffer }[];
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
  return async (mail) => {
    try {
      const composed = await compose(mail);
      const message = await composed.build();
      if ("folder" in transport) await writeEml(transport.folder, mail, message);
      else await speakSmtp(transport.smtp, mail.host, composed.getEnvelope(), message, connectMs, totalMs);
      return { outcome: "sent" };
    } catch (error) {
      return explainFailure(error);
    }
  };
}

/** What composes mails, and what speaks SMTP. A start needn't wait for what no mail needs yet. */
export const loadMailLibrary = () =>
  Promise.all([import("nodemailer/lib/mail-composer"), import("nodemailer/lib/smtp-connection")]);

/** Addresses are given in parts, since a text such as "a@b, c@d" would be read as two recipients. */
async function compose({ id, host, from, to, replyTo, subject, text, html, pictures }: Mail) {
  const address = (each: string): MailAddress => ({ name: "", address: each });
  const [{ default: MailComposer }] = await loadMailLibrary();
  const composer = new MailComposer({
    messageId: `<${id}@${host}>`,
    from,
    to: address(to),
    replyTo: address(replyTo),
    subject: subject.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(),
    text,
    html,
    attachments: pictures.map(({ id, gif }) => ({
      ...{ cid: id, filename: `${id}.gif`, contentType: "image/gif" },
      ...{ contentDisposition: "inline" as const, content: gif },
    })),
    // RFC 3834: no out-of-office reply to a machine.
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "win",
  });
  return composer.compile();
}

/**
 * Not nodemailer's transporter, which has no limit for an attempt as a whole. `envelope` is what the message was composed
 * with: domains as ASCII (IDNA), and a mailbox that isn't ASCII as it is, which takes a server with SMTPUTF8.
 */
async function speakSmtp(
  { auth, ...server }: SmtpServer,
  name: string,
  envelope: MimeNodeEnvelope,
  message: Buffer,
  connectMs: number,
  totalMs: number,
): Promise<void> {
  const [, { default: SmtpConnection }] = await loadMailLibrary();
  const connection = new SmtpConnection({
    ...server,
    name,
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
  const send = () => connection.send({ ...envelope, size: message.length }, message, (error) => end(error));
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

/**
 * Answers that waiting doesn't change, by the command: enhanced status codes (RFC 3463), and where there is none the
 * plain code. They are an unknown recipient (5.1.7 and 5.1.8 blame the sender), a mailbox that is closed or takes no such
 * address, and a mail that is too large. Everything else may be the shop's own mistake, such as an expired password.
 */
const RECIPIENT = /^5\.(1\.(?![78]$)\d+|2\.1|6\.7)$/;
const SIZE = /^5\.(2\.3|3\.4)$/;
const FINAL: Readonly<Record<string, { statuses: readonly RegExp[]; codes: readonly number[] }>> = {
  "MAIL FROM": { statuses: [SIZE], codes: [552] },
  "RCPT TO": { statuses: [RECIPIENT, SIZE], codes: [501, 550, 553] },
  DATA: { statuses: [RECIPIENT, SIZE], codes: [552] },
};

function explainFailure(error: unknown): MailResult {
  const { code = "unexpected", command, responseCode, response }: Record<string, unknown> = Object(error);
  if (typeof responseCode !== "number") return { outcome: "failed", fault: String(code) };
  const [, status] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(String(response)) ?? [];
  const { statuses = [], codes = [] } = FINAL[String(command)] ?? {};
  const final = status
    ? responseCode >= 500 && statuses.some((each) => each.test(status))
    : codes.includes(responseCode);
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
