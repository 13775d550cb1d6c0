import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { currencyDigits, payableDigits } from "../../contract/currencies.ts";
import { formatMoney } from "../../contract/money.ts";
import { AMOUNT, CURRENCY } from "../../contract/patterns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import { partnerHeaders } from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { givenTime, money, noParameters, oneOf, text, time } from "../../platform/http/schema-types.ts";
import { isPrice, type PriceRejection, storePrices } from "../../selling/catalogue/prices.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { MOST_BYTES, MOST_ROWS, refuseField, refuseFuture, refuseTwice, SKU } from "./rows.ts";

const Prices = Type.Object(
  {
    at: givenTime("From when on these prices hold. The shop takes them over at once.", "2026-10-19T08:13:02Z"),
    prices: Type.Array(
      Type.Object(
        {
          sku: SKU,
          price: Type.String({
            pattern: AMOUNT,
            title: 'Write a decimal in double quotes, such as "189.00".',
            description:
              "Of one piece, above zero, with exactly the currency's digits after the point; with tax where the products' `prices_include_tax` is true.",
            example: "189.00",
          }),
          currency: Type.String({
            pattern: CURRENCY,
            title: "Write the currency's three capital letters (ISO 4217).",
            description: "ISO 4217; the shop's.",
            example: "EUR",
          }),
          confirm: Type.Optional(
            Type.Boolean({
              title: "Write true or false.",
              description:
                "Whether this price is meant, though it is above five times the one in force, or below a fifth of it.",
              example: true,
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_ROWS, description: `1 to ${MOST_ROWS} rows; the others stay as they are.` },
    ),
  },
  { additionalProperties: false, description: "Prices." },
);

const StoredPrice = Type.Object({
  sku: text("The SKU of a version.", "TAV-PIP-2D"),
  price: money("Its price now.", "189.00"),
  currency: Type.String({ pattern: CURRENCY, description: "ISO 4217.", example: "EUR" }),
  at: time("From when on it holds.", "2026-10-19T08:13:02.000Z"),
});

const Rejected = Type.Object({
  sku: text("The SKU of the row that was left.", "TAV-PIP-9D"),
  type: oneOf(["unknown-sku", "stale", "conflict", "confirm-needed"], {
    description:
      "`unknown-sku`: no version has it. `stale`: you have sent a price with a later `at`. `conflict`: you have sent another price with the same `at`. `confirm-needed`: the price is above five times the one in force, or below a fifth of it.",
    example: "confirm-needed",
  }),
  detail: text("What to do.", "No version has this SKU: correct it, or leave the row out."),
});

const schema = {
  operationId: "sendPrices",
  tags: ["Partner"],
  summary: "Send prices",
  description:
    "Says what versions cost, in place of the shop's own prices. Rows that can't be stored are named in `rejected`, and the others are stored. The same again changes nothing.",
  querystring: noParameters,
  body: Prices,
  response: {
    ...partnerProblems,
    200: Type.Object(
      {
        stored: Type.Array(StoredPrice, { description: "The rows that are stored, by SKU." }),
        rejected: Type.Array(Rejected, { description: "The rows that were left." }),
      },
      { description: "What was stored.", headers: partnerHeaders },
    ),
    409: problemResponse("`not-owned`: this shop sets its prices itself."),
    413: problemResponse("The body is larger than 256 KiB."),
    415: problemResponse("The body isn't application/json."),
  },
};

/** POST /api/prices. */
export const priceRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  acceptOptionalJson(app);

  app.post("", { schema, bodyLimit: MOST_BYTES }, async ({ body, partner }) => {
    const at = new Date(body.at);
    const { erp, currency } = await readShopFacts(db);
    if (!erp.owns.includes("price")) throw new ApiError("not-owned", NOT_OWNED);
    refuseFuture("at", at);
    refuseTwice("prices", body.prices);
    for (const [place, row] of body.prices.entries()) {
      if (row.currency !== currency)
        refuseField(`prices.${place}.currency`, `The prices of this shop are in ${currency}.`);
      if (!isPrice(row.price, currency)) refuseField(`prices.${place}.price`, describePrice(currency));
    }
    const prices = body.prices.map(({ sku, price, confirm = false }) => ({ sku, price, confirm }));
    const { stored, rejected } = await storePrices(db, prices, { currency, at, by: partner.slice(0, 8) });
    return { stored, rejected: rejected.map(({ sku, type }) => ({ sku, type, detail: ADVICE[type] })) };
  });
};

const NOT_OWNED =
  "This shop sets its prices itself. If your system is to set them, ask the shop to write `erp: { owns: [price] }` into store.yaml.";

const ADVICE: Readonly<Record<PriceRejection, string>> = {
  "unknown-sku": "No version has this SKU: correct it, or leave the row out.",
  stale: "The shop has a price of it with a later at: leave the row out.",
  conflict: "The shop has another price of it with the same at: send the right one with a later at.",
  "confirm-needed":
    'This price is above five times the one in force, or below a fifth of it: correct it, or add "confirm": true to the row if it is meant.',
};

/** What a price in a currency looks like. */
function describePrice(currency: string): string {
  const digits = payableDigits(currency) === 0 ? 0 : currencyDigits(currency);
  const example = formatMoney(1_890_000n, digits);
  return `Write a price above zero as it is written in ${currency}, with ${digits} digits after the point: "${example}".`;
}
