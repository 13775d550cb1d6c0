import { expect, test } from "vitest";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { openMails } from "../../../../api/selling/mail/render.ts";
import { eventually } from "../../../eventually.ts";
import { buildTemplates, startShopApi } from "../../platform/private-pages/pages.ts";
import { boughtOrder, openMailShop, startSmtp } from "./mail-shop.ts";
import { rebuild, removeMails } from "./rebuild.ts";

/** Mails of a release that knows a variable more. */
const rebuildNewer = (folder: string) =>
  rebuild(folder, (files, { templates }) => {
    files.set("mails/order_received.text.liquid", "Your parcel shop: {{ parcel_shop.name }}");
    templates["mails/order_received.text"]?.variables.push("parcel_shop.name");
  });

const STEP =
  "Site and API must have the same code: restart the API and the workers with the site's, or build the site again with theirs.";
const NEWER = `The mails don't fit this release of the API: 'mails/order_received.text' uses \`parcel_shop.name\`, which its view lacks. ${STEP}`;

async function open() {
  const folder = await buildTemplates();
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  return { folder, log, mails: openMails(openBuilds(folder), { info: write, error: write }) };
}

test("every mail of this release fits it", async () => {
  const { mails, log } = await open();
  expect(await mails.findFault()).toBeUndefined();
  expect(log).toEqual(["Using new mails."]);
});

test("mails of a newer release leave the last ones in use, which are sent, and the log says once why", async () => {
  const smtp = await startSmtp();
  const { place, startMailing, templates } = await openMailShop();
  const { log } = startMailing({ SMTP_URL: smtp.url });
  let placed = 0;
  const order = async () => {
    await place(boughtOrder(), "order_received");
    placed += 1;
  };
  const untilSent = () => eventually(() => expect(smtp.received).toHaveLength(placed));
  await order();
  await untilSent();
  rebuildNewer(templates);
  await eventually(async () => {
    await order();
    expect(log.error).toHaveBeenCalled();
  });
  await order();
  await untilSent();
  for (const { mail } of smtp.received) expect(mail.text).toContain("NL91 ABNA 0417 1643 00");
  expect(log.error.mock.calls).toEqual([[`${NEWER} The last mails stay in use.`]]);
});

test("ready says why a new build's mails aren't used, and the pages of the build are", async () => {
  const { folder, mails } = await open();
  const { app } = await startShopApi({ sessionPages: folder, mails });
  const ready = async () => (await app.inject("/api/health/ready")).json();
  expect(await ready()).toEqual({ status: "ready" });
  rebuildNewer(folder);
  await expect.poll(ready).toEqual({ status: "ready", private_pages: NEWER });
});

test("a build that lacks a mail of this release isn't used, and one that has more mails is", async () => {
  const { folder, mails } = await open();
  rebuild(folder, (files, { templates }) => {
    files.set("mails/birthday.text.liquid", "{{ age }}");
    templates["mails/birthday.text"] = { variables: ["age"] };
  });
  expect(await mails.findFault()).toBeUndefined();
  rebuild(folder, (files, { templates }) => {
    files.delete("mails/sent.html.liquid");
    delete templates["mails/sent.html"];
  });
  await expect
    .poll(() => mails.findFault())
    .toBe(`The mails don't fit this release of the API: there is no template 'mails/sent.html'. ${STEP}`);
});

test("a filter that this release doesn't know is found before any mail is written", async () => {
  const { folder, log, mails } = await open();
  expect(await mails.findFault()).toBeUndefined();
  rebuild(folder, (files) => files.set("mails/cancelled.subject.liquid", "{{ number | shorten }}"));
  await expect
    .poll(() => mails.findFault())
    .toMatch(/^The mails don't fit this release of the API: undefined filter: shorten, .+, col:\d+\. Site and API/);
  expect(log.at(-1)).toBe(`${await mails.findFault()} The last mails stay in use.`);
});

test("a build of an earlier release, whose manifest doesn't know mails, is used", async () => {
  const { folder, mails } = await open();
  rebuild(folder, (_files, { templates }) => {
    for (const name of Object.keys(templates)) if (name.startsWith("mails/")) delete templates[name];
  });
  expect(await mails.findFault()).toBeUndefined();
});

test.each([
  "order.state.sent_due",
  "order.next.owed",
  "order.status.on_hold",
  "order.payment_status.voided",
  "assistant.case.return",
  "assistant.reason.changed_mind",
])("a build that lacks the word %s, which a mail may need, isn't used", async (key) => {
  const { folder, mails } = await open();
  rebuild(folder, (files) => {
    const shop = JSON.parse(files.get("words.json") ?? "");
    const [, section, name] = /^(.+)\.(\w+)$/.exec(key) ?? [];
    delete section?.split(".").reduce((words, part) => words[part], shop.words)[name ?? ""];
    files.set("words.json", JSON.stringify(shop));
  });
  expect(await mails.findFault()).toBe(
    `The mails don't fit this release of the API: there is no word '${key}'. ${STEP}`,
  );
});

test("a build without mails leaves the last ones in use, unless there never were any", async () => {
  const { folder, mails } = await open();
  const last = await mails.current();
  removeMails(folder);
  await expect
    .poll(() => mails.findFault())
    .toBe(
      "The site was built without content/mails/, which orders that are still open need. Put it back, or restart the API and the workers once there are none.",
    );
  expect(await mails.current()).toBe(last);
  const anew = openMails(openBuilds(folder), { info: () => {}, error: () => {} });
  expect(await anew.findFault()).toBeUndefined();
});
