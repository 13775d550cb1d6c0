import Type, { type Static } from "typebox";

/** A tax on a page or in a mail. The title of an exemption says why no tax is charged. */
export const TaxLineView = Type.Object({ title: Type.String(), amount: Type.String(), is_exempt: Type.Boolean() });

/** The taxes of a quote or an order as pages and mails show them. */
export const viewTaxLines = (
  taxes: readonly { title: string; rate: string; amount: string }[],
): Static<typeof TaxLineView>[] =>
  taxes.map(({ title, rate, amount }) => ({ title, amount, is_exempt: !/[1-9]/.test(rate) }));
