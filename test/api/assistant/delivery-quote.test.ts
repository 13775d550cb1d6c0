import { expect, test } from "vitest";
import { workingDayAfter } from "../../../api/selling/quote/quote.ts";
import { shippingToChoose, shopFacts } from "../selling/quote/shop.ts";
import { startAssistant } from "./assistant-shop.ts";

const scanner = (quantity = 1) => ({ sku: "KES-C2-BK", quantity });

test("delivery is priced as in the basket: lines, delivery, tax of the country, total and the day of arrival", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("delivery_quote", { country: "DE", items: [scanner(2)] })).json();
  const arrives_by = workingDayAfter(shopFacts(), 3);
  expect(result).toEqual({
    ...{ country: "DE", currency: "EUR" },
    lines: [
      {
        ...{ sku: "KES-C2-BK", name: "Kestrel C2 scanner, Black / USB", quantity: 2 },
        ...{ total_net: "312.40", total_gross: "371.76", availability: "in_stock", available_from: null },
        url: "https://shop.example/products/kestrel-c2",
      },
    ],
    methods: [
      {
        ...{ code: "standard", cost_net: "6.20", cost_gross: "7.38" },
        ...{ working_days_min: 1, working_days_max: 3, arrives_by },
        name: "Standard delivery",
      },
    ],
    tax: { treatment: "destination", lines: [{ title: "19% VAT", rate: "0.19", amount: "60.54" }] },
    totals: { net: "318.60", tax: "60.54", gross: "379.14" },
    ...{ method: "standard", pickup: null },
    not_delivered_to: ["Heligoland", "Büsingen"],
  });
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" }).format(new Date(arrives_by));
  expect(say).toBe(
    `Delivery (country: Germany) costs €7.38. It arrives within 3 working days of payment: by ${day} if you pay today. Net, it comes to €318.60; with €60.54 VAT, the total is €379.14.`,
  );
});

test("delivery can be free, an export has no tax, and what isn't in stock has no day", async () => {
  const { call } = await startAssistant();
  const ask = async (country: string, ...items: object[]) => (await call("delivery_quote", { country, items })).json();
  const free = await ask("NL", scanner(3));
  expect([free.result.methods[0].cost_gross, free.say]).toEqual([
    "0.00",
    expect.stringContaining("Delivery (country: Netherlands) is free."),
  ]);
  const abroad = await ask("CH", scanner());
  expect([abroad.result.tax.treatment, abroad.result.totals.tax]).toEqual(["export", "0.00"]);
  expect(abroad.say).toContain("The total without VAT is €");
  const later = await ask("NL", scanner(), { sku: "KES-PRE", quantity: 1 });
  expect(later.result.methods[0].arrives_by).toBeNull();
  expect(later.result.lines[1]).toMatchObject({ availability: "preorder", available_from: "2099-02-01" });
  expect(later.say).toContain("Not everything is in stock");
});

test("all deliveries are named with their prices, and collection; one that is asked for decides the total, and what none takes is refused", async () => {
  const { db, call } = await startAssistant({ facts: shopFacts({ shipping: shippingToChoose }) });
  const weigh = (weight_g: number) => db.updateTable("product_variants").set({ weight_g }).execute();
  const ask = async (more: object = {}) => {
    const answer = await call("delivery_quote", { country: "NL", items: [scanner()], ...more });
    return { status: answer.statusCode, ...answer.json() };
  };
  await weigh(1_000);
  const { result, say } = await ask();
  expect(result.methods).toMatchObject([
    { code: "parcel", name: "Parcel", cost_gross: "7.50" },
    { code: "express", name: "Express", cost_gross: "19.00" },
    { code: "pickup", name: "Collect in Utrecht", cost_gross: "0.00" },
  ]);
  expect(result).toMatchObject({ method: "parcel", pickup: { hours: "Monday to Friday, 9 to 17" } });
  expect(say).toContain("You can also choose: Express (€19.00); Collect in Utrecht (Free).");
  const collected = await ask({ country: "CH", method: "pickup" });
  expect(collected.status).toBe(422);
  const here = await ask({ country: "DE", method: "pickup" });
  expect(here.result).toMatchObject({ method: "pickup", tax: { treatment: "domestic" }, totals: { gross: "189.00" } });
  expect(here.say).toContain("The goods can be collected: Collect in Utrecht.");
  expect(await ask({ method: "drone" })).toMatchObject({
    status: 422,
    detail: expect.stringContaining("parcel (Parcel)"),
  });
  await weigh(5_001);
  const refused = await ask();
  expect([refused.status, refused.detail]).toEqual([
    422,
    expect.stringContaining("offer the customer to collect them"),
  ]);
});

test("a country that the shop doesn't deliver to is refused with those that it does", async () => {
  const { call } = await startAssistant();
  const ask = async (country: unknown, items: object[] = [scanner()]) => {
    const answer = await call("delivery_quote", { country, items });
    const { detail, errors } = answer.json();
    return [answer.statusCode, JSON.stringify([detail, errors])];
  };
  for (const country of ["US", "XX", "JE"])
    expect(await ask(country)).toEqual([422, expect.stringContaining("CH, DE, FI, GB, HU, LU, NL, XI")]);
  for (const country of ["de", "Germany", "", "D", "D1", null])
    expect(await ask(country)).toEqual([400, expect.stringContaining("two capital letters")]);
  expect(await ask("DE", [{ sku: "💥", quantity: 1 }])).toEqual([
    ...[422, expect.stringContaining("arguments.items.0.sku")],
  ]);
});

test("parts that are delivered to with their country have their own tax", async () => {
  const { call } = await startAssistant();
  const ask = async (country: string) => (await call("delivery_quote", { country, items: [scanner()] })).json();
  for (const code of ["XI", "GB-NIR"]) {
    const { result, say } = await ask(code);
    expect(result.tax).toMatchObject({ treatment: "destination", lines: [{ title: "20% VAT" }] });
    expect(say).toContain("Delivery (country: United Kingdom (Northern Ireland)) costs");
  }
  const treatments = await Promise.all(["IM", "LI"].map(async (code) => (await ask(code)).result.tax.treatment));
  expect(treatments).toEqual(["export", "export"]);
});

test("where prices are without tax, it is added", async () => {
  const { call } = await startAssistant({ facts: shopFacts({ prices_include_tax: false }) });
  const { result } = (await call("delivery_quote", { country: "NL", items: [scanner()] })).json();
  expect(result.lines[0]).toMatchObject({ total_net: "189.00", total_gross: "228.69" });
  expect(result.totals).toEqual({ net: "196.50", tax: "41.27", gross: "237.77" });
});
