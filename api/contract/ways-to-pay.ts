/** The ways to pay, the one that is suggested first. */
export const WAYS_TO_PAY = ["card", "transfer"] as const;
export type WayToPay = (typeof WAYS_TO_PAY)[number];

/** What a shop has of each way to pay: nothing, null or false where it doesn't take it. */
type Ways = Readonly<Record<WayToPay, object | boolean | null | undefined>>;

/** The ways to pay that a shop takes, the one that is suggested first. */
export const waysToPay = (shop: Ways): WayToPay[] => WAYS_TO_PAY.filter((way) => shop[way]);

/** Whether customers can order online: the shop delivers somewhere, and can be paid. */
export const sellsOnline = (shop: Ways & { shipping: object | null | undefined }): boolean =>
  Boolean(shop.shipping) && waysToPay(shop).length > 0;
