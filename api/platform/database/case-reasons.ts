/** What the assistant passes on to a person. */
export const CASE_KINDS = ["hand_over", "return"] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

/** What each kind of case can be about. */
export const CASE_REASONS = {
  hand_over: ["product", "order", "payment", "complaint", "large_order", "something_else"],
  return: ["damaged", "wrong_item", "not_as_described", "does_not_fit", "changed_mind", "something_else"],
} as const satisfies Record<CaseKind, readonly string[]>;
export type CaseReason = (typeof CASE_REASONS)[CaseKind][number];
