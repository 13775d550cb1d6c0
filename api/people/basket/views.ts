import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";
import { TaxLineView } from "../../selling/quote/tax-line-view.ts";
import { PerUnitView, PriceView } from "../../selling/quote/unit-price.ts";
import { PickupView, WayView } from "../../selling/quote/way-view.ts";
import { Fault, PieceRuleView } from "../product/views.ts";

const TextOrNull = nullable(Type.String());

/** One version on a page. Prices are of the country of delivery. */
const line = {
  sku: Type.String(),
  /** The product's title. */
  name: Type.String(),
  /** The version's title, where the product has several. */
  version: TextOrNull,
  path: TextOrNull,
  picture: TextOrNull,
  availability: Type.Enum(["in_stock", "preorder", "backorder", "out_of_stock", "archived"]),
  /** YYYY-MM-DD. */
  available_from: TextOrNull,
  can_order: Type.Boolean(),
  /** As the customer wrote it. */
  quantity: Type.String(),
  /** Of one piece; null if it can't be ordered. */
  price: nullable(PriceView),
  per_unit: PerUnitView,
  total: nullable(PriceView),
  /** As Bounds has them (selling/catalogue/variants.ts). */
  left: nullable(Type.Integer()),
  most: nullable(Type.Integer()),
  pieces: PieceRuleView,
};

const OfferedVariant = Type.Object(line);

const BasketLineView = Type.Object({
  ...line,
  /** `SKU:quantity` as in a link: what the page shows, whatever another tab does meanwhile. */
  item: Type.String(),
  /** Of the quantity's field. */
  id: Type.String(),
  /** The price when it was added, where it was another one. */
  price_was: nullable(PriceView),
  at_most: Type.Boolean(),
  has_error: Type.Boolean(),
});

/** Of what can be ordered. */
export const Totals = Type.Object({
  goods: Type.String(),
  shipping: Type.String(),
  shipping_is_free: Type.Boolean(),
  /** The customer collects the goods. */
  is_collected: Type.Boolean(),
  /** Goods and delivery without tax. */
  net: Type.String(),
  tax_lines: Type.Array(TaxLineView),
  /** `goods` and `shipping` are with tax. */
  includes_tax: Type.Boolean(),
  total: Type.String(),
  /** Net prices on the page that aren't those of one piece at home, or don't add up, by rounding. */
  has_rounded_net: Type.Boolean(),
  all_in_stock: Type.Boolean(),
  /** The day by which it arrives if it's paid today and all is in stock. */
  arrives_by: Type.String(),
});

/** What a page says of a basket's price, and the countries to choose from. */
const delivery = {
  /** Null if nothing can be ordered. */
  totals: nullable(Totals),
  /** ISO 3166, or a territory (contract/territories.ts); empty if the shop delivers nowhere. */
  country: Type.String(),
  /** Whether the address asked for this country, for none, or for one that the shop doesn't deliver to. */
  country_choice: Type.Enum(["asked", "default", "refused"]),
  /** By name. */
  countries: Type.Array(Type.String()),
  /** The code of the delivery in `totals`; empty without them. */
  method: Type.String(),
  /** Whether the address asked for it, for none, or for one that isn't there for these goods. */
  method_choice: Type.Enum(["asked", "default", "refused"]),
  /** What there is to choose from; none where it's one. */
  methods: Type.Array(WayView),
  /** Where the goods are collected; null where they are delivered. */
  pickup: nullable(PickupView),
  /** What can be ordered is heavier, or more, than any delivery takes. */
  is_undeliverable: Type.Boolean(),
  sells_online: Type.Boolean(),
  sales_email: Type.String(),
  /** Territories of `country` that the shop doesn't deliver to. */
  unserved: Type.Array(Type.String()),
};

/** Pieces that weren't added, to be sent again. */
const Adding = Type.Object({
  name: TextOrNull,
  /** Null where several versions were to be added, and where options are still to be chosen. */
  sku: TextOrNull,
  /** A product's slug, with its options; null where a version is known. */
  product: TextOrNull,
  options: Type.Array(
    Type.Object({
      /** The name and id of its field: `o1`. */
      field: Type.String(),
      name: Type.String(),
      values: Type.Array(Type.String()),
      /** What was chosen. */
      value: TextOrNull,
    }),
  ),
  quantity: Type.String(),
  /** In a link's grammar; null where it's one version. */
  items: TextOrNull,
  has_error: Type.Boolean(),
  /** In which numbers it is sold, where that is the error. */
  pieces: PieceRuleView,
});

/** What goes with something that was just added. */
const FittingView = Type.Object({
  name: Type.String(),
  path: Type.String(),
  picture: TextOrNull,
  availability: line.availability,
  available_from: TextOrNull,
  /** At home, of the best version that can be ordered. */
  price: PriceView,
  per_unit: PerUnitView,
  /** The product that it goes with, null where only one was added; and why. */
  with: TextOrNull,
  reason: Type.String(),
  /** To be added at once, and how many pieces; null where there are versions to choose from. */
  sku: TextOrNull,
  quantity: Type.Integer(),
});

export const basketPage = {
  template: "basket",
  view: Type.Object({
    errors: Type.Array(Fault),
    /** What was just added; without lines where it was too much for an address, null where nothing was. */
    added: nullable(
      Type.Object({
        lines: Type.Array(Type.Object({ name: Type.String(), version: TextOrNull, quantity: Type.Integer() })),
        fitting: Type.Array(FittingView),
      }),
    ),
    adding: nullable(Adding),
    is_empty: Type.Boolean(),
    lines: Type.Array(BasketLineView),
    ...delivery,
  }),
};

export const buyPage = {
  template: "buy",
  view: Type.Object({
    /** False for an address that isn't such a link. */
    is_readable: Type.Boolean(),
    /** The link's own path, and its address with the shop's and the country that was asked for. */
    path: Type.String(),
    url: Type.String(),
    /** The shop's public origin: links in Markdown are absolute, as on all pages. */
    origin: Type.String(),
    lines: Type.Array(OfferedVariant),
    faults: Type.Array(Fault),
    /** What can be ordered, in the link's grammar; null if nothing can be. */
    items: TextOrNull,
    ...delivery,
  }),
};

/** The same as Markdown. */
export const buyMarkdown = { template: "buy.md", view: buyPage.view };

export type OfferedVariant = Static<typeof OfferedVariant>;
export type BasketView = Static<typeof basketPage.view>;
export type BuyView = Static<typeof buyPage.view>;
export type Delivery = Pick<BuyView, keyof typeof delivery>;
export type Adding = Static<typeof Adding>;
export type FittingView = Static<typeof FittingView>;
