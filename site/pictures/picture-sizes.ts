/** The width of the largest pictures that the shop publishes. */
export const LARGEST_PX = 1200;

/**
 * The shortest side of a picture in Google's merchant feed: announced in April 2026, with warnings since then and
 * refusals from 31 January 2027; until then 100 pixels.
 *
 * @see https://support.google.com/merchants/answer/6324350
 */
export const FEED_SIDE_PX = 500;

/** The shortest side that the feed takes until then. Smaller pictures stay out of it. */
export const LEAST_FEED_SIDE_PX = 100;

interface Size {
  width: number;
  height: number;
}

/**
 * The size in which search engines and feeds get a picture: a drawing large enough for the feed, if it isn't too
 * narrow.
 */
export function publishedSize({ width, height, format }: Size & { format: string }): Size {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const times = format === "svg" ? Math.max(1, Math.min(FEED_SIDE_PX / shorter, LARGEST_PX / longer)) : 1;
  const published = Math.min(LARGEST_PX, Math.round(width * times));
  return { width: published, height: Math.round((published * height) / width) };
}
