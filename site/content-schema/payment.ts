import { z } from "astro/zod";
import { describeWrongInput, line, quoted, strict, text } from "./fields.ts";

/** A number of days from 1. */
export const dayCount = z
  .int({
    error: ({ input }) =>
      `${describeWrongInput(input, "isn't a number of days.")} Write a whole number, such as \`30\`.`,
  })
  .min(1, "must be 1 or more.");

/** An account number by ISO 13616, stored without blanks. */
const iban = text('iban: "NL74 EXMP 0123 4567 89"')
  .transform((written) => written.replaceAll(" ", "").toUpperCase())
  .refine((account) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account), {
    error: ({ input }) => `${quoted(input)} isn't an IBAN. Write its country, two check digits and the account.`,
    abort: true,
  })
  .refine((account) => remainder(account) === 1n, {
    error: ({ input }) => `${quoted(input)} has wrong check digits. Check the number for a typo.`,
  });

/** The account's number by ISO 7064, modulo 97: it ends with country and check digits, and letters count from 10. */
const remainder = (account: string): bigint =>
  BigInt([...account.slice(4), ...account.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join("")) % 97n;

const transfer = strict({
  account_holder: line("account_holder: Counterwell Ltd", 70),
  bank: line("bank: Example Bank", 70).optional(),
  iban: iban.optional(),
  bic: text("bic: EXMPNL2A")
    .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, {
      error: ({ input }) => `${quoted(input)} isn't a BIC, which has 8 or 11 capital letters and digits.`,
    })
    .optional(),
  /** Days until a transfer is due, counted from the order. */
  due_days: dayCount,
  /** Days after which an unpaid order is cancelled. */
  cancel_after_days: dayCount.optional(),
}).refine(({ due_days, cancel_after_days = due_days }) => cancel_after_days >= due_days, {
  path: ["cancel_after_days"],
  error: "is less than `due_days`: an order can't be cancelled before it is due.",
});

/** How customers pay. */
export const payment = strict({
  /** Bank transfer before dispatch. */
  transfer: transfer.optional(),
}).refine(({ transfer }) => transfer !== undefined, {
  error: "has no way to pay. Add `transfer: { account_holder: Counterwell Ltd, due_days: 14 }`, or remove `payment`.",
});
