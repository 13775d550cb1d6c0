import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { expect, onTestFinished, test } from "vitest";
import { readMail } from "../../../../api/platform/mail/settings.ts";
import { eventually } from "../../../eventually.ts";
import { boughtOrder, openMailShop } from "../../selling/mail/mail-shop.ts";

function read(source: Record<string, string>) {
  const problems: string[] = [];
  return { mail: readMail(source, problems), problems };
}

test("the mail server's address is parsed, with ports of its own and a decoded password", () => {
  expect(
    read({ SMTP_URL: "smtps://shop:p%40ss@mail.example", MAIL_FROM: "Counterwell <orders@shop.example>" }),
  ).toEqual({
    mail: {
      transport: { smtp: { host: "mail.example", port: 465, secure: true, auth: { user: "shop", pass: "p@ss" } } },
      from: { name: "Counterwell", address: "orders@shop.example" },
    },
    problems: [],
  });
  expect(read({ SMTP_URL: "smtp://[::1]" }).mail?.transport).toEqual({
    smtp: { host: "::1", port: 587, secure: false, auth: undefined },
  });
  expect(read({ SMTP_URL: "", MAIL_FOLDER: "" })).toEqual({ mail: undefined, problems: [] });
});

test.each([
  ["SMTP_URL", ["mail.example", "http://mail.example", "smtp://user@mail.example", "smtp://a:b@c/d", "smtp://a:%zz@c"]],
  ["MAIL_FROM", ["Counterwell", "a@b, c@d", "A <a@b> x", "A\r\nBcc: x@y <a@b>", '"A" <a@b>']],
  ["MAIL_FOLDER", ["mails", "./mails"]],
])("invalid values of %s are refused without being quoted", (name, values) => {
  for (const value of values)
    expect([value, read({ [name]: value }).problems]).toEqual([
      value,
      [expect.stringMatching(new RegExp(`^${name} is not usable\\. Write `))],
    ]);
});

test("SMTP_URL and MAIL_FOLDER exclude each other", () => {
  expect(read({ SMTP_URL: "smtp://x", MAIL_FOLDER: "/mails" }).problems).toEqual([
    expect.stringContaining("are both set"),
  ]);
});

test("without a mail server, mails are complete files in a folder that only the owner can read", async () => {
  const parent = await mkdtemp(join(tmpdir(), "twinfront-mails-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, "mails");
  const { place, startMailing } = await openMailShop();
  await place(boughtOrder(), "order_received");
  startMailing({ MAIL_FOLDER: folder });
  const name = expect.stringMatching(/^order-1-order_received-\d+\.eml$/);
  await eventually(() => expect(readdirSync(folder)).toEqual([name]));
  const mail = await simpleParser(readFileSync(join(folder, readdirSync(folder)[0] ?? "")));
  expect([mail.subject, mail.messageId]).toEqual([
    "We have received your order A-1001",
    expect.stringMatching(/^<order-1-order_received-\d+@shop\.example>$/),
  ]);
});
