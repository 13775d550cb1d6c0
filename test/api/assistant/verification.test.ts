import { expect, test } from "vitest";
import { ago } from "../../../api/platform/database/columns.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { startApi } from "../api.ts";
import { boughtOrder } from "../selling/mail/mail-shop.ts";
import { countStatements } from "../statements.ts";
import { assistantToken, callTool, otherAssistantToken, signIdentity, startAssistant } from "./assistant-shop.ts";
import { codeOf, openMailbox } from "./send-mails.ts";

const mine = { order_number: "A-1001", email: "ada@example.com" };
const status = { order_number: "A-1001" };

/** A shop with the order A-1001 of ada@example.com. `receive` sends what is due and returns it. */
async function startWithOrder() {
  const shop = await startAssistant();
  const { id } = await placeOrder(shop.db, boughtOrder());
  return { ...shop, id, receive: await openMailbox(shop) };
}

const verify = async (
  { call, receive }: Awaited<ReturnType<typeof startWithOrder>>,
  options: Parameters<typeof callTool>[3] = {},
) => {
  await call("start_verification", mine, options);
  const answer = await call("confirm_verification", { code: codeOf(await receive()) }, options);
  expect(answer.statusCode).toBe(200);
};

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a code goes to the order's address, and with it the conversation may know of that order and no other", async () => {
  const { db, call, receive } = await startWithOrder();
  await placeOrder(db, boughtOrder());
  expect((await call("order_status", status)).statusCode).toBe(422);
  const started = await call("start_verification", {
    order_number: " a-1001 ",
    email: " Ada@Ｅxample\u200b.com\u200e",
  });
  expect(started.json()).toEqual({
    result: { sent_if_known: true, expires_in_minutes: 30 },
    say: "If there is an order with this number and e-mail address, we have sent a code to that address. Please tell me the code within 30 minutes.",
  });
  const mails = await receive();
  expect(mails.map(({ to, mail }) => [to, mail.subject])).toEqual([["ada@example.com", "Your code for order A-1001"]]);
  const code = codeOf(mails);
  const confirmed = await call("confirm_verification", { code: `${code.slice(0, 3)} ${code.slice(3)}` });
  expect(confirmed.json()).toEqual({
    result: { verified: true, order_number: "A-1001", valid_for_minutes: 30 },
    say: "Thank you, I can now tell you about order A-1001.",
  });
  expect((await call("order_status", { order_number: "1001" })).statusCode).toBe(200);
  const another = await call("order_status", { order_number: "A-1002" });
  const none = await call("order_status", { order_number: "A-9999" });
  expect([another.statusCode, none.statusCode]).toEqual([422, 422]);
  expect(another.json().detail).toBe(none.json().detail);
  expect(another.json().detail).toMatch(/start_verification/);
});

test("codes are stored as hashes alone, and one works once", async () => {
  const { db, call, receive } = await startWithOrder();
  await call("start_verification", mine);
  const code = codeOf(await receive());
  const rows = async () => JSON.stringify(await db.selectFrom("verifications").selectAll().execute());
  expect(await rows()).not.toContain(code);
  expect(await rows()).toMatch(/"code_hash":"[0-9a-f]{64}"/);
  expect((await call("confirm_verification", { code })).statusCode).toBe(200);
  expect((await call("confirm_verification", { code })).statusCode).toBe(422);
});

test("fault 11: an unknown order, another's address and the right ones get the same answer by the same statements, and only the last a mail", async () => {
  const { call, receive } = await startWithOrder();
  const ask = async (args: object, conversation: string) => {
    const { value, statements } = await countStatements(() => call("start_verification", args, { conversation }));
    const { statusCode, body, headers } = value;
    const { "x-request-id": _, date: __, ...others } = headers;
    const shapes = statements.map((statement) => statement.replaceAll(/'[^']*'|\bNULL\b|\b\d+\b/g, "?"));
    return { answer: { statusCode, body, others }, shapes };
  };
  const right = await ask(mine, "chat-1");
  expect(right.answer.statusCode).toBe(200);
  expect(right.shapes.join("\n")).toMatch(/from `orders` where `number` = \?.*insert into `mails`/s);
  expect(await ask({ ...mine, order_number: "A-7777" }, "chat-2")).toEqual(right);
  expect(await ask({ ...mine, email: "eve@example.com" }, "chat-3")).toEqual(right);
  expect(await receive()).toHaveLength(1);
  const wrongs = await Promise.all(
    ["chat-1", "chat-2", "chat-3"].map((conversation) =>
      call("confirm_verification", { code: "000000" }, { conversation }),
    ),
  );
  expect(new Set(wrongs.map((answer) => `${answer.statusCode} ${answer.json().detail}`)).size).toBe(1);
});

test("fault 11: after five wrong codes the right one is refused too, also when they come at once", async () => {
  const { call, receive } = await startWithOrder();
  await call("start_verification", mine);
  const code = codeOf(await receive());
  const guess = () => call("confirm_verification", { code: wrongOf(code) });
  expect((await guess()).json().detail).toMatch(/still allowed: 4\./);
  const wrongs = await Promise.all([guess(), guess(), guess(), guess()]);
  expect(wrongs.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 422]);
  const sixth = await call("confirm_verification", { code });
  expect([sixth.statusCode, sixth.json().detail]).toEqual([422, expect.stringMatching(/waits for no code/)]);
  expect((await call("order_status", status)).statusCode).toBe(422);
  await call("start_verification", mine);
  expect((await call("confirm_verification", { code: codeOf(await receive()) })).statusCode).toBe(200);
});

test("an order gets three codes an hour, whichever conversation asks, and whether it exists or not", async () => {
  const { call, receive } = await startWithOrder();
  for (const args of [mine, { ...mine, order_number: "A-7777" }]) {
    const answers = [];
    for (let times = 0; times < 4; times += 1)
      // Each time spelled in another way.
      answers.push(
        (
          await call(
            "start_verification",
            { ...args, email: `${"\u00ad".repeat(times)}${mine.email}` },
            { conversation: `chat-${times}` },
          )
        ).statusCode,
      );
    expect(answers).toEqual([200, 200, 200, 429]);
  }
  expect(await receive()).toHaveLength(3);
});

test("a conversation asks about ten orders, the same ones again, and no eleventh; another one does", async () => {
  const { call, db } = await startWithOrder();
  const ask = (number: number, conversation?: string) =>
    call("start_verification", { ...mine, order_number: `A-${number}` }, conversation ? { conversation } : {});
  for (let number = 1; number <= 10; number += 1) expect((await ask(number)).statusCode).toBe(200);
  expect((await ask(1)).statusCode).toBe(200);
  expect((await ask(11)).statusCode).toBe(429);
  expect((await ask(11, "chat-2")).statusCode).toBe(200);
  await db
    .updateTable("verifications")
    .set({ created_at: ago(25 * 3_600_000) as never })
    .execute();
  expect((await ask(12)).statusCode).toBe(200);
});

test("a code expires after 30 minutes, and so does what it confirmed", async () => {
  const shop = await startWithOrder();
  const { call, db, receive } = shop;
  const pass = () =>
    db
      .updateTable("verifications")
      .set({ created_at: ago(30 * 60_000) as never, confirmed_at: ago(30 * 60_000) as never })
      .execute();
  await call("start_verification", mine);
  const code = codeOf(await receive());
  await db
    .updateTable("verifications")
    .set({ created_at: ago(30 * 60_000) as never })
    .execute();
  expect((await call("confirm_verification", { code })).statusCode).toBe(422);
  await verify(shop);
  expect((await call("order_status", status)).statusCode).toBe(200);
  await pass();
  expect((await call("order_status", status)).statusCode).toBe(422);
});

test("a mail that is sent after its code has expired isn't sent at all", async () => {
  const { call, db, receive } = await startWithOrder();
  await call("start_verification", mine);
  await db
    .updateTable("verifications")
    .set({ created_at: ago(30 * 60_000) as never })
    .execute();
  expect(await receive()).toEqual([]);
  expect(await db.selectFrom("mails").select(["state", "fault"]).execute()).toEqual([
    { state: "failed", fault: "the verification has expired" },
  ]);
});

test("fault 13: what conversation A has confirmed helps neither conversation B, nor another token, nor another person in A", async () => {
  const shop = await startWithOrder();
  const { call, receive } = shop;
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const ada = { headers: { "assistant-identity": signIdentity({ channel: "web", subject: "ada", exp }) } };
  const eve = { headers: { "assistant-identity": signIdentity({ channel: "web", subject: "eve", exp }) } };
  await verify(shop, { conversation: "A", ...ada });
  const ask = async (options: Parameters<typeof callTool>[3]) =>
    (await call("order_status", status, options)).statusCode;
  expect(await ask({ conversation: "A", ...ada, token: assistantToken })).toBe(200);
  expect(await ask({ conversation: "B", ...ada })).toBe(422);
  expect(await ask({ conversation: "A", ...ada, token: otherAssistantToken })).toBe(422);
  expect(await ask({ conversation: "A", ...eve })).toBe(422);
  expect(await ask({ conversation: "A" })).toBe(422);
  await call("start_verification", mine, { conversation: "A" });
  const code = codeOf(await receive());
  expect((await call("confirm_verification", { code }, { conversation: "B" })).statusCode).toBe(422);
});

test("a restart of the API between asking for a code and entering it changes nothing", async () => {
  const shop = await startWithOrder();
  const { app, db, sessionPages, call, receive } = shop;
  await call("start_verification", mine);
  const code = codeOf(await receive());
  await app.close();
  const assistant = { tokens: [assistantToken], identitySecrets: [] };
  const { app: next } = await startApi({ db, sessionPages, assistant });
  expect((await callTool(next, "confirm_verification", { code })).statusCode).toBe(200);
  expect((await callTool(next, "order_status", status)).statusCode).toBe(200);
});
