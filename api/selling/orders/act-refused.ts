/**
 * What the staff's page says of a refusal: names of words. Those that it can't come to have `impossible`, such as what is
 * wrong with a document that a partner sends.
 */
export const REFUSALS = [
  ...(["impossible", "changed", "status", "ended", "was_sent", "foreign_hold", "erased", "time"] as const),
  ...(["nothing_due", "amount", "most_paid", "payment_by_card", "payment_known"] as const),
  ...(["none_left", "say_amount", "refund_known", "refund_amount", "refund_left", "refund_by_card"] as const),
  ...(["nothing_sent", "all_sent", "not_sendable", "parcel_known", "pieces"] as const),
  ...(["return_known", "all_back", "place", "mail", "mail_running", "push_running", "no_card"] as const),
] as const;

/** An act isn't possible, and nothing was done. The message says why, and quotes nothing that a partner sent. */
export class ActRefused extends Error {
  override readonly name = "ActRefused";
  /** `state`: not as the order stands; `content`: what was reported doesn't fit it. */
  readonly reason: "state" | "content";
  readonly word: (typeof REFUSALS)[number];

  constructor(reason: "state" | "content", message: string, word: (typeof REFUSALS)[number] = "impossible") {
    super(message);
    this.reason = reason;
    this.word = word;
  }
}
