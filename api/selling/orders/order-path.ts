/** The address of an order's page. */
export const orderPath = (number: string): string => `/account/orders/${number}`;
