import { createServer, type Server, type Socket } from "node:net";
import { type AddressObject, type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished, vi } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { ago } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { readMail } from "../../../../api/platform/mail/settings.ts";
import { startWorker } from "../../../../api/platform/outbox/worker.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { mailQueue, makeMailing } from "../../../../api/selling/mail/attempt.ts";
import { queueMail } from "../../../../api/selling/mail/queue.ts";
import { openMails } from "../../../../api/selling/mail/render.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { shops } from "../../../workspace.ts";
import { openMigratedDatabase } from "../../api.ts";
import { buildTemplates, storeShop } from "../../platform/private-pages/pages.ts";
import { newLine, newOrder } from "../orders/new-order.ts";
import { shopFacts } from "../quote/shop.ts";

/** A shop that takes transfers. */
export const transferShop = (overrides: Partial<ShopFacts> = {}): ShopFacts =>
  shopFacts({
    transfer: {
      account_holder: "Counterwell Ltd",
      bank: "Bank of Leeds",
      iban: "NL91ABNA0417164300",
      bic: "ABNANL2A",
      due_days: 14,
      cancel_after_days: null,
    },
    ...overrides,
  });

export const address = {
  ...{ first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o.", phone: null },
  ...{ address1: "Dlouhá 12", address2: null, city: "Praha 1", postal_code: "110 00", region: null },
  country_code: "CZ",
};

/** An order from the checkout: two scanners and delivery, 395.50 EUR with tax. */
export const boughtOrder = (overrides: Partial<NewOrder> = {}): NewOrder =>
  newOrder({
    lines: [newLine({ quantity: 2 })],
    shipping_lines: [{ code: "standard", title: "Standard delivery", parts: [{ price: "17.50", taxes: [] }] }],
    placed_at: new Date("2026-11-20T09:30:00Z"),
    shipping_address: address,
    billing_address: { ...address, address1: "Krátká 1" },
    buyer: {
      ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
      ...{ phone: "+420 601 234 567", vat_id: null },
    },
    buyer_reference: "PO-7741",
    ...overrides,
  });

/** A database with the shop's facts, its mails as the site builds them, and functions to place orders and send. */
export async function openMailShop({ facts = transferShop(), content = shops.demo as string } = {}) {
  const { db, url } = await openMigratedDatabase();
  await storeShop(db, facts);
  const templates = await buildTemplates(facts, content);
  const place = async (order: NewOrder, ...kinds: Parameters<typeof queueMail>[2][]) => {
    const { id } = await placeOrder(db, order);
    for (const kind of kinds) await queueMail(db, id, kind);
    return id;
  };
  /** Starts a worker as the server does, with these settings; stopped after the test. */
  const startMailing = (settings: Record<string, string>) => {
    const problems: string[] = [];
    const mail = readMail(settings, problems);
    if (!mail) throw new Error(problems.join());
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const worker = startWorker([mailQueue(makeMailing(db, mail, openMails(openBuilds(templates), log)), log)], [], log);
    onTestFinished(() => worker.stop());
    return { worker, log };
  };
  return { db, url, facts, templates, place, startMailing, readMails: () => readMails(db) };
}

const readMails = (db: Db) =>
  db.selectFrom("mails").select(["kind", "state", "attempts", "fault"]).orderBy("id").execute();

/** Makes every pending mail due, as if its delay had passed. */
export const passMailTime = (db: Db) =>
  db
    .updateTable("mails")
    .set({ next_attempt_at: ago(1) as never })
    .where("state", "=", "pending")
    .execute();

interface Received {
  from: string | undefined;
  to: string[];
  mail: ParsedMail;
}

/** A mail server that takes everything, with `behaviour`; stopped after the test. */
export async function startSmtp(behaviour: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, callback) {
      simpleParser(stream).then((mail) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : undefined,
          to: rcptTo.map(({ address }) => address),
          mail,
        });
        callback();
      }, callback);
    },
    ...behaviour,
  });
  server.on("error", () => {}); // a client that goes away
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  return { received, port, url: `smtp://127.0.0.1:${port}` };
}

/** A server that speaks SMTP up to the end of DATA, keeps the mail and cuts the connection without an answer. */
export async function startCuttingSmtp(cuts: number) {
  const mails: ParsedMail[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.write("220 cutting ESMTP\r\n");
    let data: string | undefined;
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      if (data === undefined) {
        if (/^DATA/i.test(text)) {
          data = "";
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(text)) socket.end("221 bye\r\n");
        else socket.write("250 ok\r\n");
        return;
      }
      data += text;
      if (!data.endsWith("\r\n.\r\n")) return;
      const whole = data;
      data = undefined;
      void simpleParser(Buffer.from(whole, "latin1")).then((mail) => {
        mails.push(mail);
        if (mails.length <= cuts) socket.destroy();
        else socket.write("250 taken\r\n");
      });
    });
  }).listen(0, "127.0.0.1");
  await new Promise<void>((resolve) => void server.once("listening", () => resolve()));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { mails, url: `smtp://127.0.0.1:${port}` };
}

export const addressesOf = (field: AddressObject | AddressObject[] | undefined) =>
  [field ?? []].flat().flatMap(({ value }) => value.map(({ name, address }) => ({ name, address })));

/** The path and query of the link in a mail. */
export function linkOf({ text = "" }: ParsedMail): string {
  const [link] = /https:\/\/shop\.example\/account\/open\?key=[\w-]+/.exec(text) ?? [];
  if (!link) throw new Error("The mail has no link.");
  return link.slice("https://shop.example".length);
}
