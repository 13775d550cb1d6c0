import type { Order } from "../../selling/orders/schema.ts";

/** Carriers by their name in texts and in the names of their sites. */
const CARRIERS = ["dhl", "dpd", "gls", "ups", "fedex", "tnt", "postnl", "bpost", "inpost", "packeta", "evri"] as const;
type Carrier = (typeof CARRIERS)[number];

/** What was sent, in our own words and numbers. */
export interface Shipment {
  /** YYYY-MM-DD. */
  sent_on: string;
  carrier: Carrier | "other" | null;
  tracking_number: string | null;
  tracking_url: string | null;
  items: { name: string; quantity: number }[];
}

/**
 * Describes what was sent. Carrier, number and link are texts that somebody recorded: a carrier becomes one that we know,
 * a number must look like one, and a link must lead to that carrier's site with that number.
 */
export const describeShipments = ({ lines, fulfillments }: Order): Shipment[] =>
  fulfillments.map(({ shipped_at, lines: sent, ...recorded }) => {
    const words = (recorded.carrier ?? "").toLowerCase().split(/[^a-z]+/);
    const carrier = CARRIERS.find((each) => words.includes(each));
    const number = isHarmlessNumber(recorded.tracking_number) ? recorded.tracking_number : null;
    return {
      sent_on: shipped_at.slice(0, 10),
      carrier: carrier ?? (recorded.carrier === null ? null : "other"),
      tracking_number: number,
      tracking_url: carrier && number ? readLink(recorded.tracking_url, carrier, number) : null,
      items: sent.flatMap(({ line_id, quantity }) =>
        lines.filter(({ id }) => id === line_id).map(({ name }) => ({ name, quantity })),
      ),
    };
  });

/** Letters come at most four in a row, so that no words fit. */
const isHarmlessNumber = (text: string | null): text is string =>
  text !== null && /^[A-Z0-9-]{6,40}$/i.test(text) && /\d{4}/.test(text) && !/[a-z]{5}/i.test(text);

/** A link whose host is the carrier's, and which has the number and little else. */
function readLink(link: string | null, carrier: Carrier, number: string): string | null {
  const url = link === null ? null : URL.parse(link);
  if (url?.protocol !== "https:" || url.username !== "" || url.port !== "") return null;
  const isTheirs = new RegExp(`(^|\\.)${carrier}(-?group)?\\.[a-z]{2,3}(\\.[a-z]{2})?$`).test(url.hostname);
  const place = url.href.slice(url.origin.length);
  const rest = place.replace(number, "");
  return isTheirs && rest !== place && /^[\w/.?=&#-]{0,80}$/.test(rest) ? url.href : null;
}
