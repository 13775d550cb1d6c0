/** An act isn't possible, and nothing was done. The message says why, and quotes nothing that a partner sent. */
export class ActRefused extends Error {
  override readonly name = "ActRefused";
  /** `state`: not as the order stands; `content`: what was reported doesn't fit it. */
  readonly reason: "state" | "content";

  constructor(reason: "state" | "content", message: string) {
    super(message);
    this.reason = reason;
  }
}
