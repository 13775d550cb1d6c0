/** A day in milliseconds. */
export const DAY_MS = 24 * 3_600_000;

/** So many days in milliseconds. */
export const days = (count: number): number => count * DAY_MS;

/** The most days that a shop may keep baskets for, and how long a browser keeps the cookie of its session. */
export const MAX_BASKET_DAYS = 30;
