import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { STANDARD } from "../../../../api/contract/delivery-methods.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { english } from "../../../../site/words/languages.ts";

const transfer = {
  account_holder: "Counterwell Ltd",
  bank: "Rijnbank",
  iban: "NL91 ABNA 0417 1643 00",
  bic: "ABNANL2A",
  due_days: 14,
  cancel_after_days: null,
};

type Zone = NonNullable<ShopFacts["shipping"]>["zones"][number];
type Method = Zone["methods"][number];

/** A zone with one price for every order, as store.yaml has most. */
interface PlainZone extends Partial<Pick<Method, "free_from" | "transit_days">> {
  countries: Zone["countries"];
  price: string;
}

const toZone = ({ countries, price, free_from = null, transit_days = { min: 1, max: 2 } }: PlainZone): Zone => ({
  countries,
  methods: [{ ...STANDARD, by: "value", tiers: [{ up_to: null, price }], free_from, transit_days }],
});

/** Delivery in one working day at most to zones with a price of their own. */
export const shippingTo = (...zones: PlainZone[]): NonNullable<ShopFacts["shipping"]> => ({
  handling_days: { min: 0, max: 1 },
  zones: zones.map(toZone),
  pickup: null,
});

const toNear = { free_from: null, transit_days: { min: 1, max: 2 } };
/** Two deliveries by weight nearby, one of them farther away, and collection. */
export const shippingToChoose: NonNullable<ShopFacts["shipping"]> = {
  handling_days: { min: 0, max: 1 },
  zones: [
    {
      countries: ["NL", "DE"],
      methods: [
        { ...toNear, code: "parcel", name: "Parcel", by: "weight", tiers: [{ up_to: "2000", price: "7.50" }] },
        { ...toNear, code: "express", name: "Express", by: "weight", tiers: [{ up_to: "5000", price: "19.00" }] },
      ],
    },
    {
      countries: ["FI"],
      methods: [
        { ...toNear, code: "parcel", name: "Parcel", by: "weight", tiers: [{ up_to: "5000", price: "16.50" }] },
      ],
    },
  ],
  pickup: {
    ...{ name: "Collect in Utrecht", street: "Kade 1", city: "Utrecht", postal_code: "3511 AB", country_code: "NL" },
    hours: "Monday to Friday, 9 to 17",
  },
};

/** A shop in the Netherlands whose prices include tax. */
export const shopFacts = (overrides: Partial<ShopFacts> = {}): ShopFacts => ({
  name: "Counterwell",
  base_url: "https://shop.example",
  locale: "en-GB",
  currency: "EUR",
  prices_include_tax: true,
  tax: {
    name: "VAT",
    home: "NL",
    registration: "NL123456789B01",
    rates: { NL: "0.21", DE: "0.19", FI: "0.255", HU: "0.27", LU: "0.17", XI: "0.20" },
    export: ["CH", "GB"],
    classes: {},
    reasons: english.private_pages.untaxed,
  },
  shipping: shippingTo(
    { countries: ["NL", "DE", "LU"], price: "7.50", free_from: "500.00" },
    { countries: ["FI", "HU"], price: "16.50", transit_days: { min: 3, max: 5 } },
    { countries: ["CH", "GB"], price: "24.00", transit_days: { min: 3, max: 6 } },
  ),
  transfer,
  sales_email: "sales@shop.example",
  phone: "+44 113 496 0123",
  company: {
    legal_name: "Counterwell Ltd",
    street: "14 Halfmoon Yard",
    city: "Leeds",
    postal_code: "LS1 9CK",
    country_code: "GB",
    registration: "99000123",
  },
  card: false,
  erp: { owns: [], books_placed: false },
  few_left: null,
  most_per_order: null,
  keep: { baskets: 30, checkouts: 7, deliveries: 90, invoices: 2_557 },
  ...overrides,
});

/** A variant as the database has it. */
export const variantAt = (price: string, overrides: Partial<Variant> = {}): Variant => ({
  sku: "KES-C2-BK",
  product_id: 1,
  product_title: "Kestrel C2 scanner",
  title: "Black / USB",
  path: "/products/kestrel-c2",
  picture: null,
  gtin: "2000000000015",
  price,
  availability: "in_stock",
  available_from: null,
  when_sold_out: "out_of_stock",
  options: null,
  weight_g: null,
  tax_class: null,
  content: null,
  order_least: 1,
  order_step: 1,
  ...overrides,
});
