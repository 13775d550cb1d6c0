import Type, { type Static } from "typebox";
import { MEASURES } from "../delivery-methods.ts";
import { Amount, Country, Currency, Place, Rate, strict, Text, TextOrNull } from "../schemas.ts";

/** The United Kingdom's VAT area is `gb`, Switzerland's `ch`. */
const ReasonByHome = Type.Object({ eu: Text, gb: Text, ch: Text, elsewhere: Text }, strict);

const Days = Type.Object({ min: Type.Integer({ minimum: 0 }), max: Type.Integer({ minimum: 0 }) }, strict);

/** A way of delivery (../delivery-methods.ts has what its price depends on). */
const Method = Type.Object(
  {
    code: Text,
    name: Text,
    by: Type.Enum([...MEASURES]),
    /** Up to so many grams, such a value or so many pieces, inclusive; null is without limit. Ascending. */
    tiers: Type.Array(Type.Object({ up_to: Type.Union([Amount, Type.Null()]), price: Amount }, strict), {
      minItems: 1,
    }),
    /** The value of goods from which it is free; null if it never is. */
    free_from: Type.Union([Amount, Type.Null()]),
    transit_days: Days,
  },
  strict,
);

/** Goods are taxed at this address where the customer collects them. */
const Pickup = Type.Object(
  {
    name: Text,
    street: Text,
    city: Text,
    postal_code: Text,
    country_code: Country,
    /** When somebody is there, in words. */
    hours: TextOrNull,
  },
  strict,
);

/**
 * .session/store.json: what the API knows of content/store.yaml, which the import stores. Every field is always present;
 * null where it doesn't apply.
 */
export const ShopFacts = Type.Object(
  {
    name: Text,
    /** The shop's public origin, without a trailing slash. */
    base_url: Text,
    /** A BCP 47 tag. */
    locale: Text,
    currency: Currency,
    /** Whether prices in content/ include the home country's tax. */
    prices_include_tax: Type.Boolean(),
    tax: Type.Object(
      {
        /** As customers see it: VAT. */
        name: Text,
        /** The country whose tax the prices include, and where goods are sent from. */
        home: Country,
        /** The shop's own VAT number there. */
        registration: TextOrNull,
        /** Tax rates as decimal fractions, by country or territory of delivery (../territories.ts). */
        rates: Type.Record(Type.String(), Rate),
        /** Countries and territories of delivery that are exports, without tax. */
        export: Type.Array(Place),
        /** Rates of goods that are taxed otherwise, by the class that products name and then as `rates`. */
        classes: Type.Record(Type.String(), Type.Record(Type.String(), Rate)),
        /** Why no tax is charged, as tax lines say it in the shop's language. */
        reasons: Type.Object(
          {
            /** Goods for a business in another member state. */
            reverse_charge: Text,
            /** Goods for another country outside the VAT area of `home`. */
            export: ReasonByHome,
            /** Goods for a part of the EU, or of `home`, that is outside its VAT area. */
            territory: ReasonByHome,
          },
          strict,
        ),
      },
      strict,
    ),
    /** Null if nothing can be ordered online. */
    shipping: Type.Union([
      Type.Object(
        {
          handling_days: Days,
          zones: Type.Array(
            Type.Object(
              {
                /** Countries, and territories that aren't delivered to with them or at their price. */
                countries: Type.Array(Place, { minItems: 1 }),
                /** In the order of store.yaml; a zone that has a price has one, `standard`. */
                methods: Type.Array(Method, { minItems: 1 }),
              },
              strict,
            ),
            { minItems: 1 },
          ),
          /** Where goods can be collected; null if nowhere. */
          pickup: Type.Union([Pickup, Type.Null()]),
        },
        strict,
      ),
      Type.Null(),
    ]),
    /** Payment by bank transfer; null if the shop doesn't offer it. */
    transfer: Type.Union([
      Type.Object(
        {
          account_holder: Text,
          bank: TextOrNull,
          iban: TextOrNull,
          bic: TextOrNull,
          /** Days until a transfer is due, counted from the order. */
          due_days: Type.Integer({ minimum: 1 }),
          /** Days after which an unpaid order is cancelled; null if it never is. */
          cancel_after_days: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
        },
        strict,
      ),
      Type.Null(),
    ]),
    /** Payment by card; only where the API can charge them too (api/selling/payments/settings.ts). */
    card: Type.Boolean(),
    /** What the partner's ERP decides in place of content/, and whether it books an order as soon as it's placed. */
    erp: Type.Object({ owns: Type.Array(Type.Enum(["stock", "price"])), books_placed: Type.Boolean() }, strict),
    /** From how many pieces down a version is among the last; null: that is never said. */
    few_left: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    /** Pieces of a version in an order at most; null: as many as a basket takes. */
    most_per_order: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    sales_email: Text,
    phone: Text,
    company: Type.Object(
      {
        legal_name: Text,
        street: Text,
        city: Text,
        postal_code: Text,
        country_code: Country,
        registration: Text,
      },
      strict,
    ),
    /** Days that personal data is kept for. */
    keep: Type.Object(
      {
        /** After a basket's last use. */
        baskets: Type.Integer({ minimum: 1 }),
        checkouts: Type.Integer({ minimum: 1 }),
        deliveries: Type.Integer({ minimum: 1 }),
        /** After an order: the billing facts of a person who was erased. */
        invoices: Type.Integer({ minimum: 1 }),
      },
      strict,
    ),
  },
  strict,
);
export type ShopFacts = Static<typeof ShopFacts>;
