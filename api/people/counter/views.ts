import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";
import { PerUnitView, PriceView } from "../../selling/quote/unit-price.ts";

const TextOrNull = nullable(Type.String());

const Reason = Type.Object({
  /** The chosen product that it goes with, or doesn't. */
  name: Type.String(),
  text: Type.String(),
});

const variant = {
  sku: Type.String(),
  /** What makes it different from the product's other versions; null if there are none. */
  version: TextOrNull,
  availability: Type.Enum(["in_stock", "preorder", "backorder", "out_of_stock", "archived"]),
  /** YYYY-MM-DD. */
  available_from: TextOrNull,
  /** Of one piece at home. */
  price: PriceView,
  per_unit: PerUnitView,
  /** The least pieces in which it is sold. */
  quantity: Type.Integer(),
  can_order: Type.Boolean(),
  is_chosen: Type.Boolean(),
};

const product = {
  name: Type.String(),
  path: Type.String(),
  picture: TextOrNull,
  reasons: Type.Array(Reason),
};

const OfferedVariant = Type.Object(variant);

const Offers = Type.Object({
  products: Type.Array(
    Type.Object({
      ...product,
      /** Why it doesn't go with some of what is chosen. */
      cautions: Type.Array(Reason),
      /** One sentence, where there is no reason. */
      summary: TextOrNull,
      versions: Type.Array(OfferedVariant),
    }),
  ),
  /** Of different products: one whose versions go with different choices is there several times. */
  count: Type.Integer(),
  /** Whether any version has a button. */
  can_choose: Type.Boolean(),
});

const Chosen = Type.Object({
  ...variant,
  ...product,
  /** The SKUs of all other choices, as an address has them. */
  others: Type.String(),
});

const Step = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  chosen: nullable(Chosen),
  /** The SKUs chosen in all other categories. */
  others: Type.String(),
  offers: Offers,
  /** Whether what could be chosen here is known by now. */
  is_open: Type.Boolean(),
  extras: Type.Array(Type.Object({ title: Type.String(), offers: Offers })),
});

const Fault = Type.Object({
  reason: Type.Enum(["unknown", "several", "too_many", "out_of_stock"]),
  /** A SKU, a step's title or a version; empty where it can't be repeated. */
  name: Type.String(),
});

export const counterPage = {
  template: "counter",
  view: Type.Object({
    /** The page's address with its choices, on the shop's own origin. */
    url: Type.String(),
    /** The shop's public origin: links in Markdown are absolute, as on all pages. */
    origin: Type.String(),
    faults: Type.Array(Fault),
    steps: Type.Array(Step),
    /** What doesn't go with the other choices, so isn't in the total. */
    misfits: Type.Array(Chosen),
    /** Choices that are known not to go together. */
    cautions: Type.Array(Type.Object({ name: Type.String(), with: Reason })),
    /** The first step's title. */
    first_title: Type.String(),
    has_first: Type.Boolean(),
    /** The SKUs of all choices. */
    skus: Type.String(),
    /** What can be ordered. */
    lines: Type.Array(Chosen),
    /** Of `lines`, for one piece each. */
    total: PriceView,
    in_stock: Type.Integer(),
    /** `lines` in the grammar of a link to buy; null if there are none. */
    items: TextOrNull,
    sells_online: Type.Boolean(),
    sales_email: Type.String(),
  }),
};

/** The same as Markdown. */
export const counterMarkdown = { template: "counter.md", view: counterPage.view };

export type CounterView = Static<typeof counterPage.view>;
export type Chosen = Static<typeof Chosen>;
export type Offers = Static<typeof Offers>;
export type OfferedVariant = Static<typeof OfferedVariant>;
