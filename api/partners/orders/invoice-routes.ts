import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { AMOUNT, CURRENCY } from "../../contract/patterns.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { oneOf } from "../../platform/http/schema-types.ts";
import { INVOICE_NUMBER } from "../../selling/orders/record-invoice.ts";
import { INVOICE_KINDS } from "../../selling/orders/schema.ts";
import { type ActDependencies, addAct } from "./acts.ts";

const BASE64_ADVICE = "Write base64 (RFC 4648 §4), with padding and without line breaks.";

const file = (description: string, example: string) =>
  Type.String({ format: "byte", minLength: 4, title: BASE64_ADVICE, description, example });

/** POST /api/orders/{id}/invoices. */
export const invoiceRoutes: FastifyPluginAsync<ActDependencies> = async (app, dependencies) => {
  acceptOptionalJson(app);
  addAct(app, dependencies, {
    path: "/invoices",
    operationId: "addInvoice",
    summary: "Add an invoice or a credit note",
    description:
      "Stores an invoice or a credit note of an order, whatever its status. The customer gets a mail and downloads it from the order's page. It never changes: the same again changes nothing and gets the order as it is. It is erased with the person once `keep.invoices` of the shop's settings is over.",
    body: {
      number: Type.String({
        pattern: INVOICE_NUMBER,
        title: "Write 1 to 64 visible ASCII characters.",
        description: "The number on the document. Only one document of the shop has it.",
        example: "2026-004711",
      }),
      kind: oneOf(INVOICE_KINDS, { description: "What it is.", example: "invoice" }),
      issued_on: Type.String({
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        format: "date",
        title: "Write a day, such as 2026-10-19.",
        description: "The day on the document.",
        example: "2026-10-19",
      }),
      total: Type.String({
        pattern: AMOUNT,
        title: 'Write a decimal in double quotes, such as "388.00".',
        description: "The sum on the document, of a credit note too without a sign, in the order's currency.",
        example: "388.00",
      }),
      currency: Type.String({
        pattern: CURRENCY,
        title: "Write the currency's three capital letters (ISO 4217).",
        description: "ISO 4217. A document in another currency than the order's is refused.",
        example: "EUR",
      }),
      pdf: file("The PDF, in base64. Both files have at most 3 MiB together.", "JVBERi0xLjcK"),
      xml: Type.Optional(
        file(
          "The same in a structured form, such as XRechnung or Factur-X's XML, in UTF-8 and base64.",
          "PD94bWwgdmVyc2lvbj0iMS4wIj8+",
        ),
      ),
    },
    bodyDescription: "The document.",
    refused: {
      state: "The person who ordered was erased.",
      content:
        "A file isn't what it should be, the documents are too large, the document doesn't fit the order, which has at most 50, or a different one has its number.",
    },
    bodyLimitKiB: 4_104, // 3 MiB in base64, and 8 KiB for the rest
    read: ({ number, kind, issued_on, total, currency, pdf, xml }) => ({
      ...{ name: "invoiced", number, kind, issued_on, total, currency },
      pdf: decode("pdf", pdf),
      xml: xml === undefined ? null : decode("xml", xml),
    }),
  });
};

/** Throws 400 unless it's the one way to write these bytes. */
function decode(field: "pdf" | "xml", base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") === base64) return bytes;
  throw new ApiError("bad-request", "Parts of the request are invalid. See `errors` for each.", {
    errors: [{ in: "body", field, detail: BASE64_ADVICE }],
  });
}
