import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { onTestFinished } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { erasePerson } from "../../../../api/operation/erasure/erase-person.ts";
import type { DetailsForm } from "../../../../api/people/checkout/details.ts";
import { makeLoggerOptions } from "../../../../api/platform/monitoring/log.ts";
import { createMetrics } from "../../../../api/platform/monitoring/metrics.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { mailQueue, makeMailing } from "../../../../api/selling/mail/attempt.ts";
import { openMails } from "../../../../api/selling/mail/render.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { assistantToken } from "../../assistant/assistant-shop.ts";
import { enterDetails, place, review, startCheckout } from "../../people/checkout/start-checkout.ts";
import { startErp, webhookTo } from "../../platform/webhook/erp-server.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";

/** A person with an umlaut, who writes the address in mixed case. */
export const person = {
  ...{ email: "Quendolin.Roessler@Sesame.example", first_name: "Quendolin", last_name: "Rößler" },
  ...{ phone: "+49 221 8675309", company: "Sesame Bakery", note: "Ask for Quendolin", buyer_reference: "PO of Rößler" },
} as const;

/** What the person can be recognised by, as it may stand in a table or a file; the last two as orders are searched. */
const NEEDLES = [...["quendolin", "rößler", "roessler", "sesame.example", "8675309"], ...["qundolin", "sesameexample"]];

type Fields = Partial<DetailsForm> & { email: string; first_name: string; last_name: string };

/**
 * A shop with an ERP that repeats what it was sent, mails in a folder, a log and metrics. `buy` has somebody order two
 * scanners, find the order again, pay through a partner, get a refund, and be pushed to the ERP; the order is complete.
 */
export async function startErasableShop() {
  const { db, url } = await openMigratedDatabase();
  const connection = await connect(url);
  const mailFolder = mkdtempSync(join(tmpdir(), "twinfront-mails-"));
  onTestFinished(() => rmSync(mailFolder, { recursive: true, force: true }));
  const output = { log: "" };
  const stream = new Writable({
    write(line, _encoding, done) {
      output.log += String(line);
      done();
    },
  });
  const metrics = createMetrics();
  const erp = await startErp(
    (response, { body }) => void response.end(JSON.stringify(JSON.parse(`${body}`).data.buyer)),
  );
  const shop = await startCheckout({
    ...{ db, metrics, logger: { ...makeLoggerOptions({ texts: [], patterns: [] }), stream } },
    send: makeSender(webhookTo(erp.url)),
    assistant: { tokens: [assistantToken], identitySecrets: [] },
  });
  const { app, sessionPages, otherCustomer } = shop;
  const mails = mailQueue(
    makeMailing(
      db,
      { transport: { folder: mailFolder }, from: undefined },
      openMails(openBuilds(sessionPages), app.log),
    ),
    app.log,
  );
  const sendMails = async () => {
    for (const id of await mails.findDue(50)) await (await mails.claim(id))?.();
  };
  const partner = (path: string, payload: object, headers: Record<string, string> = {}, method?: "PATCH") =>
    app.inject({
      ...{ method: method ?? "POST", url: path, payload },
      headers: { authorization: `Bearer ${token}`, ...headers },
    });

  /** Places an order of two scanners. Returns its id. */
  const order = async (fields: Fields): Promise<number> => {
    const customer = otherCustomer();
    await customer.post("/cart/lines", { sku: "KES-C2-BK", quantity: "2" });
    const { headers } = await place(customer, await review(customer, fields));
    return Number(/A-1*0*(\d+)$/.exec(String(headers.location))?.[1]);
  };

  const buy = async (fields: Fields): Promise<number> => {
    const { email, last_name } = fields;
    const id = await order(fields);
    const number = `A-${1_000 + id}`;
    const { totals } = (await shop.get(`/api/orders/${id}`)).json();
    await sendMails();
    await otherCustomer().post("/account/find", { number, email: email.toLowerCase() });
    const payment = { method: "bank_transfer", reference: `${id} Q ROESSLER`, amount: totals.total };
    await partner(`/api/orders/${id}/payments`, payment, { "idempotency-key": `"${id}"` });
    await partner(`/api/erp/orders/${id}/push`, {});
    const refund = { reference: `r-${id}`, amount: "5.00", reason: `${last_name} complained` };
    await actByCommand(db, number, { name: "refunded", ...refund }, pushNothing);
    await actByCommand(db, number, { name: "note", note: `${last_name} called` }, pushNothing);
    await partner(`/api/orders/${id}/fulfillments`, {
      reference: `P-${id}`,
      lines: [{ line_id: id * 1_000 + 1, quantity: 1 }],
    });
    await partner(`/api/orders/${id}/close`, { reason: `${last_name} wants no more` });
    await partner(`/api/orders/${id}/returns`, { reference: `ROESSLER ${id}` });
    await app.inject({
      ...{ method: "PATCH", url: `/api/orders/${id}`, headers: { authorization: `Bearer ${token}` } },
      payload: { external_id: `${id} Q ROESSLER`, partner_note: `Ask for ${last_name}` },
    });
    await sendMails();
    return id;
  };

  /** Enters details in a browser of its own, without ordering. */
  const enter = async (fields: Fields) => {
    const customer = otherCustomer();
    await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
    await enterDetails(customer, fields);
    return customer;
  };

  const erase = (email: string = person.email.toUpperCase(), invoicesKeptDays = 2_557, followUp = pushNothing) =>
    erasePerson(db, email, { invoicesKeptDays, mailFolder, followUp });

  /** Every column, and `log`, `metrics` and mail files, where the person can be recognised. */
  const findPerson = async () => [
    ...(await findInTables(connection)),
    ...(has(output.log) ? ["log"] : []),
    ...(has(await metrics.registry.metrics()) ? ["metrics"] : []),
    ...(readdirSync(mailFolder).some((file) => has(decodeMail(readFileSync(join(mailFolder, file), "utf8"))))
      ? ["mail files"]
      : []),
  ];

  const stored = (orderId: number) => readStored(connection, orderId, mailFolder);

  return { ...shop, url, mailFolder, output, sendMails, partner, order, buy, enter, erase, findPerson, stored };
}

export const pushNothing = makeFollowUp({ pushWhen: "manual" });

const has = (text: string) => NEEDLES.some((needle) => text.normalize("NFC").toLowerCase().includes(needle));

/** Beside the app's pool, whose types know only our own tables. */
async function connect(url: string): Promise<Connection> {
  const { socketPath, ...address } = readDatabaseAddress({ DATABASE_URL: url });
  const options = { ...address, jsonStrings: true, dateStrings: true };
  const connection = await createConnection(socketPath === undefined ? options : { ...options, socketPath });
  onTestFinished(() => connection.end());
  return connection;
}

const query = async (connection: Connection, statement: string, values: (string | number)[] = []) =>
  (await connection.query<RowDataPacket[]>(statement, values))[0];

/** Every column of every table, by table. */
async function readColumns(connection: Connection): Promise<[table: string, column: string][]> {
  const rows = await query(
    connection,
    "select table_name as t, column_name as c from information_schema.columns where table_schema = database() order by 1, ordinal_position",
  );
  return rows.map(({ t, c }) => [t, c]);
}

async function findInTables(connection: Connection): Promise<string[]> {
  const found: string[] = [];
  for (const [table, column] of await readColumns(connection)) {
    const rows = await query(connection, `select \`${column}\` as value from \`${table}\``);
    if (rows.some(({ value }) => has(String(value)))) found.push(`${table}.${column}`);
  }
  return found;
}

/** A mail's parts are quoted-printable (RFC 2045 §6.7). */
const decodeMail = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, "")
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();

/** Everything that is stored of an order, and its mail files. */
async function readStored(connection: Connection, orderId: number, mailFolder: string) {
  const tables = (await readColumns(connection)).flatMap(([table, column]) => (column === "order_id" ? table : []));
  const attempts =
    "select a.* from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.order_id = ? order by 1, 2";
  return {
    orders: await query(connection, "select * from orders where id = ?", [orderId]),
    others: await Promise.all(
      tables.map((table) =>
        query(connection, `select * from \`${table}\` where order_id = ? order by 1, 2`, [orderId]),
      ),
    ),
    attempts: await query(connection, attempts, [orderId]),
    mails: readdirSync(mailFolder)
      .filter((file) => file.startsWith(`order-${orderId}-`))
      .map((file) => [file, readFileSync(join(mailFolder, file), "utf8")]),
  };
}
