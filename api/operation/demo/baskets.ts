import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { NewOrder } from "../../selling/orders/place-order.ts";
import type { Article } from "./articles.ts";
import type { Market } from "./markets.ts";
import { type Person, people } from "./people.ts";
import type { Random } from "./random.ts";

/** An invented order. */
export function inventOrder(
  random: Random,
  market: Market,
  articles: readonly [Article, ...Article[]],
  placed_at: Date,
): NewOrder {
  const person = random.pick(people);
  const billing_address = addressOf(person, random);
  const [standard, express] = market.shipping;
  const lines = Array.from({ length: random.pick([1, 1, 2, 2, 3, 5]) }, () =>
    inventLine(random, market, random.pick(articles)),
  );
  const collects = random.chance(0.1);
  return {
    status: "pending",
    currency: market.currency,
    prices_include_tax: market.prices_include_tax,
    customer: random.chance(0.3) ? null : customerOf(person),
    billing_address,
    shipping_address: collects ? null : random.chance(0.8) ? billing_address : addressOf(random.pick(people), random),
    lines,
    shipping_lines: collects
      ? []
      : random.chance(0.7)
        ? [{ code: "standard", title: "Standard delivery", parts: [{ price: standard, taxes: market.taxes }] }]
        : [{ code: "express", title: "Express delivery", parts: [{ price: express, taxes: market.taxes }] }],
    discounts: random.chance(0.2) ? [inventDiscount(random, market, lines)] : [],
    payments: [],
    placed_at,
    note: random.chance(0.5) ? person.note : null,
    external_id: null,
  };
}

function inventLine(random: Random, market: Market, { price, ...article }: Article): NewOrder["lines"][number] {
  const quantity = random.pick([1, 1, 1, 2, 3, 10]);
  return { ...article, quantity, unit_price: market.priceOf(price), taxes: market.taxes };
}

/** Five or ten per cent of the items, in whole units, which every currency has. */
function inventDiscount(random: Random, { currency }: Market, lines: NewOrder["lines"]): NewOrder["discounts"][number] {
  const percent = random.pick([5, 10]);
  const items = lines.reduce((total, line) => total + parseMoney(line.unit_price) * BigInt(line.quantity), 0n);
  const amount = (items * BigInt(percent)) / 1_000_000n;
  return {
    code: random.chance(0.5) ? `WELCOME${percent}` : null,
    title: `${percent} % off`,
    amount: formatMoney(amount * 10_000n, currencyDigits(currency)),
  };
}

const customerOf = (person: Person) => {
  const id = people.indexOf(person) + 1;
  const { first_name, last_name, company, vat_id } = person;
  return { id, email: `customer${id}@example.com`, first_name, last_name, company, phone: null, vat_id };
};

const addressOf = (person: Person, random: Random) => {
  const { first_name, last_name, company, address1, city, postal_code, region, country_code } = person;
  const address2 = random.chance(0.1) ? "2nd floor" : null;
  // From the range that Ofcom reserves for fiction.
  const phone = random.chance(0.5) ? `+44 20 7946 0${random.between(100, 999)}` : null;
  return { first_name, last_name, company, address1, address2, city, postal_code, region, country_code, phone };
};
