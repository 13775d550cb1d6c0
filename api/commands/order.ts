import { currencyDigits } from "../contract/currencies.ts";
import { CUSTOMER_MAILS, type OrderMailKind } from "../contract/mail-kinds.ts";
import { formatMoney, parseMoney } from "../contract/money.ts";
import { readDatabaseAddress, readPushSettings } from "../env.ts";
import { makeFollowUp } from "../follow-up.ts";
import { readOrderNumber } from "../people/account/queries.ts";
import { parseItems } from "../people/basket/items.ts";
import { COMMAND as COMMAND_TIMEOUTS, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { sendAgain } from "../selling/mail/send-again.ts";
import { type Act, actOnOrder, COMMAND, REASON, showToPerson } from "../selling/orders/acts.ts";
import { describeMatter, type OpenMatter } from "../selling/orders/attention.ts";
import { sumPaid } from "../selling/orders/payments.ts";
import { HTTPS_URL, LABEL, MOST_URL_CHARACTERS } from "../selling/orders/record-fulfillment.ts";
import { METHOD, REFERENCE } from "../selling/orders/record-payment.ts";
import type { Order } from "../selling/orders/schema.ts";

const USAGE = `Usage: npm run order -- ACTION NUMBER, such as: npm run order -- paid A-1042 --reference 2026-10-19/44

  paid      money came: --reference REF (the bank's own), --amount 189.00 (else what is due), --method (else bank_transfer)
  accept    go on although it isn't paid: the customer has credit
  hold      stop it for now; also reopens a cancelled order
  release   go on with an order that is on hold
  cancel    --reason "Why": the customer reads it on the order's page and in the mail; not once goods were sent
  close     the rest of an order that was sent in part won't come: --reason "Why", which the customer reads
  sent      goods left, or are ready to collect: --reference REF (of the parcel), --carrier DHL, --number 00340434161094042557,
            --link https://… (where the customer follows it), --lines KES-C2-BK:1,RIL-80:2 (else all that wasn't sent yet)
  returned  goods came back: --reference REF, --lines KES-C2-BK:1 (else all that was sent)
  refunded  money went back: --reference REF, --amount 50.00 (else all that was paid), --reason "Why"
  done      what needed a person is dealt with
  note      for the people who work in the shop alone: --text "Wants blue"
  mail      sends a mail about it again, as the order is now: --kind order_received, or the name of another file of mails
  show      how it stands, and what needs a person

An action that was done already changes nothing.`;

/** What partners alone do, or who works in the shop, on the order's page. */
type Elsewhere = "acknowledge" | "invoiced" | "correct" | "push" | "card_refund";

const ACTIONS: Readonly<Record<Exclude<Act["name"], Elsewhere> | "show", readonly string[]>> = {
  paid: ["reference", "amount", "method"],
  accept: [],
  hold: [],
  release: [],
  cancel: ["reason"],
  close: ["reason"],
  sent: ["reference", "carrier", "number", "link", "lines"],
  returned: ["reference", "lines"],
  refunded: ["reference", "amount", "reason"],
  done: [],
  note: ["text"],
  mail: ["kind"],
  show: [],
};

/** What is said of those that leave the order as it is. */
const SAID: Partial<Record<Act["name"], string>> = {
  done: "What needed a person is dealt with.",
  note: "The note is added.",
  mail: "The mail is about to be sent.",
};

const SENT = { unfulfilled: "", partial: ", sent in part", fulfilled: ", all sent", returned: ", returned" };

const isAction = (name: string): name is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, name);

/** Records what a person reports or decides about an order. */
await runCommand(async () => {
  const { number, act } = readAct();
  const followUp = makeFollowUp(readPushSettings(process.env));
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND_TIMEOUTS });
  try {
    if (act === "show") {
      const { after, matters } = (await showToPerson(db, number)) ?? refuseUnknown(number);
      console.log([`${describe(after)}.`, ...matters.map(sayMatter)].join("\n"));
      return;
    }
    const done = await actOnOrder(db, { number }, act, { by: COMMAND, followUp });
    const { before, after, isNew, matters } = done ?? refuseUnknown(number);
    const news =
      after.version !== before.version
        ? `Before: ${describe(before)}.\nNow:    ${describe(after)}.`
        : `${describe(after)}. ${(isNew && SAID[act.name]) || "This was already recorded, so nothing changed."}`;
    console.log([news, ...matters.map(sayMatter)].join("\n"));
  } finally {
    await db.destroy();
  }
});

function refuseUnknown(number: string): never {
  throw new RangeError(`No order has the number ${number}.`);
}

function sayMatter(matter: OpenMatter): string {
  return `A person must look: ${describeMatter(matter)}.`;
}

function describe({ number, status, payment_status, fulfillment_status, currency, totals, payments }: Order): string {
  const received = sumPaid(payments);
  // Only where due doesn't tell it: more than the total, or on a cancelled order.
  const isUntold = received > 0n && received + parseMoney(totals.due) !== parseMoney(totals.total);
  const paid = isUntold ? `, ${formatMoney(received, currencyDigits(currency))} ${currency} paid` : "";
  const refunded = /[1-9]/.test(totals.refunded) ? `, ${totals.refunded} ${currency} refunded` : "";
  return `${number} is ${status} and ${payment_status}, ${totals.due} of ${totals.total} ${currency} due${paid}${refunded}${SENT[fulfillment_status]}`;
}

/** Throws an error that says what is wrong with the arguments. */
function readAct(): { number: string; act: Act | "show" } {
  const text = { type: "string" } as const;
  const tracking = { carrier: text, number: text, link: text, lines: text };
  const options = { reference: text, amount: text, method: text, reason: text, text, kind: text, ...tracking };
  const { values, positionals } = readArguments(USAGE, options, [2]);
  const [name = "", typed = ""] = positionals;
  const number = readOrderNumber(typed);
  if (!isAction(name) || number === "") throw new Error(USAGE);
  const foreign = Object.keys(values).find((option) => !ACTIONS[name].includes(option));
  if (foreign) throw new Error(`${name} has no --${foreign}.\n\n${USAGE}`);
  const { reference, amount, method = "bank_transfer", reason = null } = values;
  if (reason !== null && !new RegExp(REASON, "u").test(reason))
    throw new Error("Write --reason as one line of at most 500 characters.");
  if (name === "show") return { number, act: name };
  if (name === "cancel" || name === "close") return { number, act: { name, reason } };
  if (name === "note") return { number, act: { name, note: values.text ?? refuseMissing("--text") } };
  if (name === "mail") return { number, act: { name, work: sendAgain({ kind: readKind(values.kind), about: 0 }) } };
  if (name !== "paid" && name !== "refunded" && name !== "sent" && name !== "returned")
    return { number, act: { name } };
  if (!reference) {
    const what = { paid: "money", refunded: "money", sent: "parcel", returned: "return" }[name];
    throw new Error(`Write --reference REF: it keeps the same ${what} from being recorded twice.\n\n${USAGE}`);
  }
  if (!new RegExp(REFERENCE, "u").test(reference))
    throw new Error("Write --reference as one line of at most 255 characters, without blanks around it.");
  if (name === "sent") return { number, act: { name, reference, ...readTracking(values), lines: readLines(values) } };
  if (name === "returned") return { number, act: { name, reference, lines: readLines(values) } };
  if (!new RegExp(METHOD).test(method))
    throw new Error("Write --method as 1 to 64 small letters, digits or _, beginning with a letter.");
  const money = { reference, amount };
  return { number, act: name === "paid" ? { name, method, ...money } : { name, reason, ...money } };
}

function refuseMissing(option: string): never {
  throw new Error(`Write ${option}.\n\n${USAGE}`);
}

function readKind(kind: string | undefined): OrderMailKind {
  const known = [...CUSTOMER_MAILS, "shop_new_order", "shop_needs_person"] as const;
  return known.find((each) => each === kind) ?? refuseMissing(`--kind as one of ${known.join(", ")}`);
}

function readTracking(given: { carrier?: string; number?: string; link?: string }) {
  const { carrier = null, number: tracking_number = null, link: tracking_url = null } = given;
  for (const [option, value] of Object.entries({ carrier, number: tracking_number }))
    if (value !== null && !new RegExp(LABEL, "u").test(value))
      throw new Error(`Write --${option} as 1 to 100 visible characters.`);
  const isLink = (text: string) => text.length <= MOST_URL_CHARACTERS && new RegExp(HTTPS_URL).test(text);
  if (tracking_url !== null && !isLink(tracking_url))
    throw new Error(
      "Write --link as an https address of at most 2,000 visible ASCII characters, without a user name or password.",
    );
  return { carrier, tracking_number, tracking_url };
}

function readLines({ lines }: { lines?: string }) {
  const items = lines === undefined ? undefined : parseItems(lines);
  if (lines !== undefined && !items) throw new Error("Write --lines as SKUs and pieces: KES-C2-BK:1,RIL-80:2.");
  return items;
}
