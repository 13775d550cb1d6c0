import type { Order } from "./schema.ts";

/** Who ordered: as the checkout has them, or else who brought the order in. Undefined for a guest of another system. */
export const whoOrdered = ({ buyer, customer }: Pick<Order, "buyer" | "customer">) => buyer ?? customer ?? undefined;

/** Whether the person was erased (operation/erasure/erase-order.ts), with their billing facts or all but those. */
export const isErased = (order: Order): boolean =>
  (whoOrdered(order) ?? order.billing_address ?? order.shipping_address) === null || whoOrdered(order)?.email === "";
