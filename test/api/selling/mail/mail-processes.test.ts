import { expect, test } from "vitest";
import { eventually } from "../../../eventually.ts";
import { run } from "../../server-process.ts";
import { boughtOrder, openMailShop, passMailTime, startSmtp } from "./mail-shop.ts";

async function prepare(behaviour: Parameters<typeof startSmtp>[0] = {}) {
  const smtp = await startSmtp(behaviour);
  const shop = await openMailShop();
  const env = { DATABASE_URL: shop.url, SESSION_PAGES: shop.templates, SMTP_URL: smtp.url };
  return { ...shop, smtp, env };
}

test("fault 39: workers without a webhook share the mails, send each once, and their logs have no keys or addresses", async () => {
  const { place, readMails, smtp, env } = await prepare();
  for (let count = 0; count < 40; count += 1) await place(boughtOrder(), "order_received");
  const workers = [run("worker.ts", env), run("worker.ts", env)];
  await eventually(async () => expect((await readMails()).filter(({ state }) => state === "sent")).toHaveLength(40));
  expect(new Set(smtp.received.map(({ mail }) => mail.messageId)).size).toBe(40);
  expect(smtp.received).toHaveLength(40);
  for (const { child, ended, output } of workers) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output.stdout + output.stderr).not.toMatch(/key=|@example\.com|Nov[aá]k/);
  }
  expect(workers.map(({ output }) => output.stdout).join()).toContain('"msg":"mailed"');
});

test("if a worker is killed in the middle of a mail, another one sends it after the lease", async () => {
  const kill = { worker: (): unknown => undefined };
  const { db, place, readMails, smtp, env } = await prepare({
    onMailFrom(_address, _session, callback) {
      if (!kill.worker()) callback();
    },
  });
  await place(boughtOrder(), "order_received");
  const first = run("worker.ts", env);
  kill.worker = () => first.child.kill("SIGKILL");
  await first.ended;
  kill.worker = () => undefined;
  expect(await readMails()).toEqual([{ kind: "order_received", state: "pending", attempts: 1, fault: null }]);
  run("worker.ts", env);
  await passMailTime(db);
  await eventually(async () => expect(await readMails()).toMatchObject([{ state: "sent", attempts: 2 }]));
  expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual([
    expect.stringMatching(/^<order-1-order_received-\d+@shop\.example>$/),
  ]);
});
