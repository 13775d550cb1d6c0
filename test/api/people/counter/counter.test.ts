import { expect, test } from "vitest";
import { eventually } from "../../../eventually.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { readMain } from "../basket/page-text.ts";
import { between, kitchen, offered, rebuildCounter, startKitchen } from "./counter-shop.ts";

test("a counter begins with its first category alone, each product with its sentence", async () => {
  const { visitor } = await startKitchen();
  const { statusCode, headers, payload } = await visitor.get("/counter");
  expect([statusCode, headers["cache-control"], headers["set-cookie"]]).toEqual([200, "no-store", undefined]);
  expect(offered(payload)).toEqual(["OVEN-S", "OVEN-L", "STOVE"]);
  expect(readMain(payload)).toContain(
    "The oven About oven. Version OVEN-S OVEN-S €8.26 net (€10.00 with VAT) In stock Choose",
  );
  expect(payload).not.toContain("/cart/lines");
});

test("after the first choice only what goes with it is offered, with the reason", async () => {
  const { visitor } = await startKitchen();
  const oven = await visitor.get("/counter?chosen=OVEN-S");
  expect(offered(oven.payload)).toEqual(["SALT", "TRAY"]);
  expect(readMain(oven.payload)).toContain("The tray With The oven: same width");
  expect(readMain(oven.payload)).toContain("Hoods Nothing here is known to go with what you’ve chosen so far.");
  const stove = await visitor.get("/counter?chosen=STOVE");
  expect(offered(stove.payload)).toEqual(["PAN", "FAN"]);
});

test("what goes with an earlier choice is offered too, and with several for each reason", async () => {
  const { visitor } = await startKitchen();
  expect(offered((await visitor.get("/counter?chosen=OVEN-S+TRAY")).payload)).toEqual([
    "SALT",
    "FOIL-1",
    "FOIL-2",
    "HOOD",
  ]);
  const text = readMain((await visitor.get("/counter?chosen=STOVE+PAN")).payload);
  expect(text).toContain("With The stove: hangs above With The pan: takes its steam");
});

test("a step needs only what the content says it must fit: an earlier one that isn't named doesn't count", async () => {
  const steps = kitchen.steps.map((step) => (step.slug === "hoods" ? { ...step, fits: ["ovens"] } : step));
  const { visitor } = await startKitchen({}, { counter: { ...kitchen, steps } });
  expect(offered((await visitor.get("/counter?chosen=OVEN-S+TRAY")).payload)).not.toContain("HOOD");
});

test("extras stand beside the first thing that they go with, any number of them, and are no more offered once chosen", async () => {
  const { visitor } = await startKitchen();
  const { payload } = await visitor.get("/counter?chosen=OVEN-S+TRAY+HOOD+FOIL-1");
  expect(offered(payload)).toEqual(["SALT", "FOIL-2"]);
  expect(payload.match(/<summary>/g)).toHaveLength(2);
  expect(readMain(payload)).toContain("With The tray: 30 cm wide With The hood: keeps it clean");
  expect(readMain(payload)).toContain("Version FOIL-1 FOIL-1 €8.26 net (€10.00 with VAT) In stock Chosen");
});

test("only the versions that fit are offered, each with its own reasons", async () => {
  const relations = [
    ...kitchen.relations.slice(3),
    { between: [["OVEN-S"], ["TRAY"]], reason: "narrow enough" },
    { between: [["FOIL-1"], ["OVEN-S", "OVEN-L"]], reason: "takes its heat" },
  ];
  const { visitor } = await startKitchen({}, { counter: { ...kitchen, relations } });
  expect(offered((await visitor.get("/counter?chosen=OVEN-L")).payload)).toEqual(["SALT", "FOIL-1"]);
  const { payload } = await visitor.get("/counter?chosen=OVEN-S+TRAY");
  expect(offered(payload)).toEqual(["SALT", "FOIL-1", "FOIL-2"]);
  const text = readMain(payload);
  expect(text).toContain("Extras: 2 products go with it");
  expect(text).toContain(
    "The foil With The oven: takes its heat With The tray: 30 cm wide Version FOIL-1 FOIL-1 €8.26 net (€10.00 with VAT) In stock Add",
  );
  expect(text).toContain(
    "The foil With The tray: 30 cm wide Version FOIL-2 FOIL-2 €8.26 net (€10.00 with VAT) In stock Add",
  );
  const large = readMain((await visitor.get("/counter?chosen=OVEN-L+TRAY")).payload);
  expect(large).toContain("The tray isn’t known to go with the rest, so it isn’t in the total.");
});

test("what goes with one choice and not with another is offered with the caution, and said once both are chosen", async () => {
  const relations = [...kitchen.relations, between("fan", "tray", "keeps it cool")];
  const cautions = [between("fan", "oven", "it melts"), between("salt", "pan", "it rusts")];
  const { visitor } = await startKitchen({}, { counter: { ...kitchen, relations, cautions } });
  const offer = await visitor.get("/counter?chosen=OVEN-S+TRAY");
  expect(offered(offer.payload)).toContain("FAN");
  expect(readMain(offer.payload)).toContain("The fan With The tray: keeps it cool Not with The oven: it melts FAN");
  expect(offer.payload).not.toContain("doesn’t go with");
  const both = await visitor.get("/counter?chosen=OVEN-S+TRAY+FAN");
  expect(readMain(both.payload)).toContain("The fan doesn’t go with The oven: it melts.");
  expect(readMain(both.payload)).toContain("Total €24.78 net (€30.00 with VAT)");
});

test("choices that don't go together are said to be so where nothing else goes with them either", async () => {
  const counter = { ...kitchen, cautions: [between("pan", "oven", "too wide")] };
  const { visitor } = await startKitchen({}, { counter });
  expect(offered((await visitor.get("/counter?chosen=OVEN-S")).payload)).not.toContain("PAN");
  const text = readMain((await visitor.get("/counter?chosen=PAN+OVEN-S")).payload);
  expect(text).toContain("The pan doesn’t go with The oven: too wide.");
  expect(text).toContain("The pan isn’t known to go with the rest, so it isn’t in the total.");
  expect(text).toContain("Total €8.26 net (€10.00 with VAT)");
});

test("each button keeps the other choices and replaces the one of its step", async () => {
  const { visitor } = await startKitchen();
  const { payload } = await visitor.get("/counter?chosen=OVEN-S+TRAY+SALT");
  const forms = [...payload.matchAll(/<form action="\/counter[^>]*>([\s\S]*?)<\/form>/g)].map(([, form = ""]) => ({
    kept: /type="hidden" name="chosen" value="([^"]*)"/.exec(form)?.[1],
    button: /<button[^>]*>([^<]*)<span class="hidden-visually"> ([^<]*)/.exec(form)?.slice(1).join(" ").trim(),
  }));
  expect(forms).toContainEqual({ kept: "TRAY SALT", button: "Change The oven Version OVEN-S" });
  expect(forms).toContainEqual({ kept: "OVEN-S SALT", button: "Change The tray" });
  expect(forms).toContainEqual({ kept: "OVEN-S TRAY SALT", button: "Choose The hood" });
  expect(forms).toContainEqual({ kept: "OVEN-S TRAY", button: "Remove The salt" });
});

test("a choice that goes with the rest no more is said, left out of the total, and kept until it's removed", async () => {
  const { visitor } = await startKitchen();
  const { payload } = await visitor.get("/counter?chosen=STOVE+TRAY+HOOD+FOIL-2");
  const text = readMain(payload);
  for (const name of ["The tray", "The hood", "The foil, Version FOIL-2"])
    expect(text).toContain(`${name} isn’t known to go with the rest, so it isn’t in the total.`);
  expect(text).toContain("Total €8.26 net (€10.00 with VAT)");
  expect(payload).toContain('name="items" value="STOVE:1"');
  expect(payload).toContain('value="https://shop.example/counter?chosen=STOVE+TRAY+HOOD+FOIL-2"');
});

test("without the first choice the others wait for it", async () => {
  const { visitor } = await startKitchen();
  const { payload } = await visitor.get("/counter?chosen=TRAY");
  expect(readMain(payload)).toContain("The tray is kept until you’ve chosen from “Ovens”.");
  expect(offered(payload)).toEqual(["OVEN-S", "OVEN-L", "STOVE"]);
  expect(payload).not.toContain("/cart/lines");
});

test("total, stock and the button follow the catalogue as it is now", async () => {
  const { visitor, db } = await startKitchen({
    TRAY: { price: "0.10", availability: "backorder", available_from: "2099-01-02" },
    SALT: { price: "0.20" },
  });
  const path = "/counter?chosen=OVEN-S+TRAY+SALT";
  const { payload } = await visitor.get(path);
  const text = readMain(payload);
  expect(text).toContain("Total €8.51 net (€10.30 with VAT) Without delivery. In stock: 2 of 3.");
  expect(text).toContain("On back-order (expected 2 January 2099)");
  expect(payload).toContain('<input type="hidden" name="items" value="OVEN-S:1,TRAY:1,SALT:1">');
  expect(payload).toContain('href="/buy/OVEN-S:1,TRAY:1,SALT:1"');
  await db.updateTable("product_variants").set({ availability: "out_of_stock" }).where("sku", "=", "SALT").execute();
  await db.updateTable("product_variants").set({ price: "12.00" }).where("sku", "=", "OVEN-S").execute();
  const later = await visitor.get(path);
  expect(readMain(later.payload)).toContain("The salt is out of stock, so it isn’t in the total.");
  expect(readMain(later.payload)).toContain("Total €10.00 net (€12.10 with VAT)");
  expect(later.payload).toContain('name="items" value="OVEN-S:1,TRAY:1"');
});

test("the button puts it all into the basket for the same sum", async () => {
  const { visitor } = await startKitchen({ TRAY: { price: "0.10" } });
  const { payload } = await visitor.get("/counter?chosen=OVEN-L+TRAY");
  const items = /name="items" value="([^"]*)"/.exec(payload)?.[1] ?? "";
  expect((await visitor.post("/cart/lines", { items })).statusCode).toBe(303);
  expect(readMain((await visitor.get("/cart")).payload)).toContain("Goods with tax €10.10");
});

test("opening a counter writes nothing", async () => {
  const { visitor, statements } = await startKitchen();
  statements.length = 0;
  for (const query of ["", "?chosen=OVEN-S+TRAY&utm_source=mail", "?chosen=NONE"])
    expect((await visitor.get(`/counter${query}`)).headers["set-cookie"]).toBeUndefined();
  expect(new Set(statements)).toEqual(new Set(["SelectQueryNode"]));
});

const long = "x".repeat(1_000);

test.each([
  ["an unknown SKU", "?chosen=NONE", 404, "Nothing with the SKU NONE can be chosen here."],
  ["a SKU of another kind of product", "?chosen=KES-C2", 404, "Nothing with the SKU KES-C2 can be chosen here."],
  ["an unknown SKU beside a known one", "?chosen=OVEN-S+NONE", 200, "Nothing with the SKU NONE can be chosen here."],
  ["two of one step", "?chosen=OVEN-S+STOVE", 200, "The address names several of “Ovens”"],
  ["1,000 characters", `?chosen=${long}`, 404, "A part of the address isn’t a SKU."],
  ["what isn't printable", "?chosen=%00%0d%0a<b>", 404, "A part of the address isn’t a SKU."],
  [
    "more than a counter holds",
    `?chosen=OVEN-S${Array.from({ length: 95 }, (_, index) => `+N${index}`).join("")}`,
    200,
    "The address names more than a counter holds",
  ],
])("%s is answered with what to do, and what can be chosen", async (_what, query, status, said) => {
  const { visitor } = await startKitchen();
  const { statusCode, payload } = await visitor.get(`/counter${query}`);
  expect(statusCode).toBe(status);
  expect(readMain(payload)).toContain(said);
  expect(offered(payload).length).toBeGreaterThan(0);
  expect(payload).not.toContain(long);
});

test("a version named twice counts once, in one parameter or in several", async () => {
  const { visitor } = await startKitchen();
  const { payload } = await visitor.get("/counter?chosen=OVEN-S++OVEN-S&chosen=&add=OVEN-S");
  expect(payload).toContain('name="items" value="OVEN-S:1"');
  expect(payload).not.toContain("notice");
});

test("a version that is no longer sold is neither offered nor chosen", async () => {
  const { visitor } = await startKitchen({
    "OVEN-S": { availability: "archived" },
    TRAY: { availability: "archived" },
  });
  expect(offered((await visitor.get("/counter")).payload)).toEqual(["OVEN-L", "STOVE"]);
  const { statusCode, payload } = await visitor.get("/counter?chosen=OVEN-S");
  expect([statusCode, readMain(payload)]).toEqual([
    404,
    expect.stringContaining("Nothing with the SKU OVEN-S can be chosen here."),
  ]);
  expect(offered((await visitor.get("/counter?chosen=OVEN-L")).payload)).toEqual(["SALT"]);
});

test("a version that is out of stock is shown and can't be chosen", async () => {
  const { visitor } = await startKitchen({ STOVE: { availability: "out_of_stock" } });
  const { payload } = await visitor.get("/counter");
  expect(offered(payload)).toEqual(["OVEN-S", "OVEN-L"]);
  expect(readMain(payload)).toContain("The stove About stove. STOVE €8.26 net (€10.00 with VAT) Out of stock");
});

test("a shop without a counter answers 404, and one whose build is of another release 503", async () => {
  const { visitor } = await startKitchen({}, { counter: null });
  expect((await visitor.get("/counter")).statusCode).toBe(404);
  const other = await startKitchen({}, { counter: { steps: [] } });
  expect((await other.visitor.get("/counter")).statusCode).toBe(503);
});

test("a new build's counter is used without a restart", async () => {
  const { visitor, facts, sessionPages } = await startKitchen();
  expect(offered((await visitor.get("/counter")).payload)).toContain("OVEN-S");
  await rebuildCounter(sessionPages, facts, { ...kitchen, steps: kitchen.steps.slice(1) });
  await eventually(async () => {
    expect(offered((await visitor.get("/counter")).payload)).toEqual(["TRAY", "PAN"]);
  });
});

test("a shop that sells nothing online has prices, the total and its address instead of a button", async () => {
  const { visitor, facts } = await startKitchen({}, { facts: { transfer: null, card: false } });
  for (const [face, form] of [
    ["html", '<form action="/cart'],
    ["md", "/buy/"],
  ] as const) {
    const { payload } = await visitor.get("/counter?chosen=OVEN-S", { "x-face": face });
    expect(payload).toContain("€10.00");
    expect(payload).toContain(facts.sales_email);
    expect(payload).not.toContain(form);
  }
});

test("every state is valid HTML", async () => {
  const { visitor } = await startKitchen({ TRAY: { picture: "/tray.webp" }, SALT: { availability: "out_of_stock" } });
  for (const query of [
    "",
    "?chosen=NONE+",
    "?chosen=OVEN-S",
    "?chosen=OVEN-S+TRAY+HOOD+FOIL-1+SALT",
    "?chosen=STOVE+TRAY+HOOD",
    "?chosen=TRAY",
  ]) {
    const { payload } = await visitor.get(`/counter${query}`);
    expect(await findHtmlFaults(payload.replace("<!doctype", "<!DOCTYPE"), query)).toEqual([]);
  }
});

test("the basket shows what goes with something that was just added: each category in turn, with its reason", async () => {
  const { visitor } = await startKitchen({ FAN: { availability: "out_of_stock" } });
  const shown = async (sku: string) => {
    const { headers } = await visitor.post("/cart/lines", { sku, quantity: "1" });
    const { payload } = await visitor.get(String(headers.location));
    const [, cards = ""] = /<section class="fitting"([\s\S]*?)<\/section>/.exec(payload) ?? [];
    return cards
      .split("<li")
      .slice(1)
      .map((card) => readMain(`<main><li${card}</main>`));
  };
  // Of the foil's versions one is chosen on its page; the salt can be added at once.
  expect(await shown("TRAY")).toEqual([
    "The oven same width €8.26 net (€10.00 with VAT) In stock Choose : The oven",
    "The hood closes over it €8.26 net (€10.00 with VAT) In stock Add to basket : The hood",
    "The foil 30 cm wide €8.26 net (€10.00 with VAT) In stock Choose : The foil",
  ]);
  // A tray is there already.
  expect(await shown("OVEN-S")).toEqual([
    "The salt for cleaning €8.26 net (€10.00 with VAT) In stock Add to basket : The salt",
  ]);
  // A pan would be a second one for the tray's place, and the fan is sold out.
  expect(await shown("STOVE")).toEqual([]);
  const { payload } = await visitor.get("/cart");
  expect(payload).not.toContain("fitting");
});

test("the basket offers nothing that doesn't go with something in it", async () => {
  const { visitor } = await startKitchen(
    {},
    { counter: { ...kitchen, cautions: [between("salt", "pan", "it rusts")] } },
  );
  await visitor.post("/cart/lines", { sku: "PAN", quantity: "1" });
  const { headers } = await visitor.post("/cart/lines", { sku: "OVEN-S", quantity: "1" });
  expect((await visitor.get(String(headers.location))).payload).not.toContain("The salt");
});
