/** Whether a version can be had, the soonest first: lists are in this order. The content, the feeds and the API use the same four words. */
export const AVAILABILITIES = ["in_stock", "preorder", "backorder", "out_of_stock"] as const;
export type Availability = (typeof AVAILABILITIES)[number];
