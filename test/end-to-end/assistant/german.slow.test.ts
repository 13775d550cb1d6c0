import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { at, openOrderingShop } from "../ordering/ordering-shop.ts";
import { withPage } from "../visitors/with-page.ts";
import { anything, openConversation } from "./conversation.ts";

// The frozen shop, whose catalogue is English, with German pages.
openOrderingShop(async (workspace) => {
  const file = join(workspace, "content", "store.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace("locale: en-GB", "locale: de-DE"));
  return {};
});

test("choosing a scanner: no product meets all conditions until the customer gives one up", async () => {
  const { hear } = openConversation("auswahl");
  const qr = { ...anything, query: "QR codes", category: "barcode-scanners", max_price_includes_tax: true };
  const nothing = await hear("Ich brauche einen Scanner für QR-Codes, höchstens 20 Euro.", "find_products", {
    ...qr,
    max_price: "20.00",
  });
  expect(nothing.say).toBe(
    "Alle diese Bedingungen erfüllt nichts. Ohne sie gibt es 10 Produkte. Worauf kommt es am wenigsten an?",
  );
  const found = await hear("Dann eben bis 100 Euro.", "find_products", {
    ...qr,
    // By the words alone, the cheaper version of a product would do of which only the dearer one reads QR codes.
    facets: [{ name: "Reads", value: "2D" }],
    max_price: "100.00",
  });
  expect(found.say.replaceAll("\u00a0", " ")).toMatch(
    /^Ein Produkt passt: Tavrel C30 corded 2D scanner, Scanner alone für 81,82 € zzgl. VAT, auf Lager\.$/,
  );
});

test("what fits the Harbour, and why", async () => {
  const { hear } = openConversation("harbour");
  const { result, say } = await hear("Welcher Bondrucker passt zur Harbour?", "product_facts", {
    product: "marlstead-harbour-15",
  });
  expect(say).toContain("Es gibt 4 Ausführungen, zum Beispiel Marlstead Harbour 15.6″ POS terminal, 8 GB / Black");
  expect(result["works_with"]).toContainEqual(
    expect.objectContaining({
      title: "Pellcott R80 receipt printer",
      reason: "USB on every model, and its own drawer port stays free",
    }),
  );
});

test("delivery to Switzerland, and to a country where the shop doesn't deliver", async () => {
  const { call, hear } = openConversation("schweiz");
  const items = [{ sku: "TAV-T40-BK", quantity: 2 }];
  const { result, say } = await hear("Was kosten zwei T40 in die Schweiz?", "delivery_quote", { country: "CH", items });
  expect(say.replaceAll("\u00a0", " ")).toMatch(
    /^Der Versand \(Lieferland: Schweiz\) kostet 19,83 €\. Die Lieferung kommt innerhalb von 7 Werktagen nach Zahlungseingang an: bis \d.* wenn Sie heute zahlen\. Ohne VAT kostet es insgesamt 381,81 €\.$/,
  );
  expect(result["totals"]).toEqual({ net: "381.81", tax: "0.00", gross: "381.81" });
  const elsewhere = await call("delivery_quote", { country: "US", items });
  expect([elsewhere.status, elsewhere.detail]).toEqual([
    422,
    expect.stringMatching(/^The shop doesn't deliver there\. Countries: AT, AT-JUNGHOLZ, AT-MITTELBERG, BE,/),
  ]);
});

test("a basket link, which a browser opens in German", async () => {
  const { hear } = openConversation("warenkorb");
  const { result, say } = await hear("Ich nehme zwei in Schwarz.", "basket_link", {
    items: [{ sku: "TAV-T40-BK", quantity: 2 }],
  });
  expect(say).toMatch(/^Hier ist Ihr Link: \S+\/buy\/TAV-T40-BK:2 Er zeigt alles mit seinem Preis\./);
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(at(new URL(String(result["url"])).pathname));
    await page.getByRole("button", { name: "In den Warenkorb", exact: true }).click();
    expect(new URL(page.url()).pathname).toBe("/cart");
    await page.waitForLoadState();
    const shown = (await page.locator("main").textContent()) ?? "";
    for (const text of ["TAV-T40-BK", "438,00"]) expect(shown).toContain(text);
  });
});

test("an order that isn't told about without its code, and a person who takes over", async () => {
  const { call, hear } = openConversation("uebergabe");
  const order = { order_number: "A-1001" };
  const { say } = await hear("Wo ist meine Bestellung A-1001?", "start_verification", {
    ...order,
    email: "ada@novak.example",
  });
  expect(say).toMatch(/^Wenn es eine Bestellung mit dieser Nummer und E-Mail-Adresse gibt, haben wir einen Code/);
  expect((await call("order_status", order)).status).toBe(422);
  const passed = await hear("Da kommt nichts an. Kann mich jemand anrufen?", "hand_over", {
    reason: "order",
    message: "Bekommt keinen Code und bittet um Rückruf.",
    contact: "+49 170 1234567",
  });
  expect(passed.say).toMatch(
    /^Ich habe das an Counterwell weitergegeben\. Ihre Fallnummer ist C-\d+\. Jemand meldet sich bei Ihnen\.$/,
  );
});
