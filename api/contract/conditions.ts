/** What state goods are in, by the names of Google's feed (https://support.google.com/merchants/answer/6324469). */
export const CONDITIONS = ["new", "used", "refurbished"] as const;
export type Condition = (typeof CONDITIONS)[number];
