import Type, { type Static } from "typebox";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";

/** A tax on a page or in a mail. The title of an exemption says why no tax is charged. */
export const TaxLineView = Type.Object({ title: Type.String(), amount: Type.String() });

/** The taxes of a quote or an order as pages and mails show them. */
export const viewTaxLines = (taxes: readonly { title: string; amount: string }[]): Static<typeof TaxLineView>[] =>
  taxes.map(({ title, amount }) => ({ title, amount }));

/** Whether amounts above the net one are with tax: prices include it, and there is some. */
export const includesTax = (
  { prices_include_tax }: { prices_include_tax: boolean },
  { tax }: { tax: string },
): boolean => prices_include_tax && parseMoney(tax) > 0n;

/** What goods and delivery come to without tax: with the tax lines it is the total, to the last digit. */
export const netOf = ({ total, tax }: { total: string; tax: string }, currency: string): string =>
  formatMoney(parseMoney(total) - parseMoney(tax), currencyDigits(currency));
