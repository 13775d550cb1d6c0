import { StripeRefusal } from "./account.ts";

export interface Answer {
  status: number;
  body: object;
}

/** Answers by idempotency key. Stripe keeps one from when it starts to do what is asked, errors 500 too. */
export class IdempotencyKeys {
  readonly #kept = new Map<string, { request: string; answer: Answer | undefined }>();

  /**
   * Does `work` unless it was done under this key. Throws StripeRefusal for another request under the same key, and
   * while the first is under way. A refusal is kept only if `work` had begun to change something, which ours never has.
   */
  async once(key: string | undefined, request: string, work: () => Promise<Answer>): Promise<Answer> {
    if (key === undefined) return work();
    const known = this.#kept.get(key);
    if (known && known.request !== request)
      throw new StripeRefusal(400, "idempotency_error", "Keys can only be used with the same parameters.");
    if (known && !known.answer)
      throw new StripeRefusal(409, "idempotency_key_in_use", "Another request with this key is in progress.");
    if (known?.answer) return known.answer;
    const entry: { request: string; answer: Answer | undefined } = { request, answer: undefined };
    this.#kept.set(key, entry);
    try {
      entry.answer = await work();
      return entry.answer;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }
}
