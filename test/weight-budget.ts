/** Limits shared by the tests and the bench. Bytes are those that nginx sends to a client that accepts Brotli. */
export const weightBudget = {
  /** A page and its two style sheets, headers included: the first flight is ten segments, 14,600 bytes (RFC 6928). */
  firstFlightBytes: 14 * 1024,
  /** The deferred script of categories and comparisons. Other pages have no script. */
  scriptBytes: 5_000,
  sharedSheetBytes: 4_000,
  /** The sheet of a kind of page, and that of paper. */
  kindSheetBytes: 3_000,
  /** The display face, for each group of letters. */
  fontBytes: 12_000,
  /** What one more product adds to a list of 24, and the elements of its card. */
  cardBytes: 140,
  cardElements: 20,
  /** Each picture of the demo shop, which are all drawings. */
  pictureBytes: 1_500,
  /** A product's preview picture for links on other sites; our own pages don't load it. */
  previewBytes: 100_000,
  /** SELECTs for a list of orders or products, with any limit and filters. */
  statementsOfList: 2,
  /** Of a basket, a review page and an order's page. */
  statementsOfPrivatePage: 5,
  /** Of placing an order, BEGIN and COMMIT among them. */
  statementsOfPlacing: 23,
} as const;

/**
 * Requests of a page on a wide screen before scrolling, by the first part of its path: the page, its three style sheets (one is
 * for paper), icon, script and font, and the pictures near the first screen.
 */
export const requestBudget: Readonly<Record<string, number>> = {
  "": 19,
  categories: 18,
  products: 14,
  guides: 10,
  search: 13,
  contact: 6,
  developers: 6,
  nowhere: 13,
};
