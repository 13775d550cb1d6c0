/**
 * What the shop may cost, in one place for the tests and the bench. Bytes are those that nginx sends to a
 * client that takes Brotli.
 */
export const weightBudget = {
  /**
   * A page and its style sheet, as whole answers with their headers: a server sends ten segments before it waits for the
   * client (RFC 6928), which are 14,600 bytes.
   */
  firstFlightBytes: 14 * 1024,
  /** The one script that categories, comparisons and the search share, deferred. No other page has any. */
  scriptBytes: 5_000,
  styleSheetBytes: 6_000,
  /** Each picture of the demo shop, all of which are drawn. */
  pictureBytes: 1_500,
  /** What a link to a product shows elsewhere; no page of ours loads it. */
  previewBytes: 100_000,
  /** All that the first search of a visitor loads; the second one finds the most of it there. */
  firstSearchBytes: 170_000,
  /** SELECTs for a list of orders or products, whatever its limit and filters. */
  statementsOfList: 2,
} as const;

/**
 * Requests of a page on a wide screen before anybody scrolls, by the first part of its path: itself, its style sheet, icon
 * and script, and the pictures near the first screen.
 */
export const requestBudget: Readonly<Record<string, number>> = {
  "": 16,
  categories: 13,
  products: 11,
  guides: 7,
  search: 4,
  contact: 3,
  developers: 3,
  nowhere: 10,
};
