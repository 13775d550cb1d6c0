export const email = "ada@example.com";

/** What the payment page of an order is opened with. */
export const pageOptions = (id: number) => ({
  ...{ number: `A-${1000 + id}`, email },
  returnUrl: `https://shop.example/account/orders/A-${1000 + id}`,
});
