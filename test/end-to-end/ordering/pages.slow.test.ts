import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { findHtmlFaults } from "../../html-faults.ts";
import { withPage } from "../visitors/with-page.ts";
import {
  at,
  changeVariant,
  enterDetails,
  openOrderingShop,
  orderOn,
  placeButton,
  placeOrder,
  runOrderCommand,
  takeLink,
} from "./ordering-shop.ts";
import { visit } from "./visit.ts";

openOrderingShop();

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("the basket in every state", async () => {
  await visit(async (page, look) => {
    await page.goto(at("/cart"));
    await look("empty");
    await page.goto(at("/checkout"));
    await look("a checkout without a basket");
    await takeLink(page, "TAV-T40-BK:2,MAR-PIERDUO-16:1,FER-RIB-R300:999,TAV-LINE10-USB:1");
    await changeVariant("TAV-LINE10-USB", { availability: "out_of_stock" });
    await changeVariant("MAR-PIERDUO-16", { price: "1399.00" });
    await page.reload();
    await look("with a changed price, the most pieces, and a version that is out of stock");
    await page.getByLabel("Quantity").first().fill("x");
    await press(page, "Update quantities");
    await look("with a quantity that isn't a number");
    await page.goto(at("/products/marlstead-cafe-10"));
    await page.getByLabel("Quantity").fill("0");
    await page.evaluate(`document.forms["add-to-basket"].noValidate = true`);
    await press(page, "Add to basket");
    await look("with something that wasn't added");
  });
});

test("a link to a selection, good and bad", async () => {
  await visit(async (page, look) => {
    for (const items of ["TAV-T40-BK:2,PEL-R80-LAN:1", "TAV-T40-BK:2,PEL-R80-RS:1,NO-SUCH:1", "NO-SUCH:1", "x"]) {
      await page.goto(at(`/buy/${items}`));
      await look(items);
    }
  });
});

/** Long words without a place to break. */
const LONG = {
  company: "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  email: `${"ada".repeat(20)}@${"novak".repeat(10)}.example`,
  buyer_reference: "PO".repeat(60),
  note: "x".repeat(300),
};

test("the details and the review in every state", async () => {
  await visit(async (page, look) => {
    await takeLink(page, "QUI-WARD-BT:1,FER-COIL-USB:2");
    await page.goto(at("/checkout"));
    await look("empty details");
    await press(page, "Continue to review");
    await look("details with every error");
    const billing = { billing_differs: "yes" as const, billing_address1: "Domkloster 4", billing_city: "Köln" };
    await enterDetails(page, { ...LONG, ...billing, billing_postal_code: "50667", billing_country_code: "DE" });
    await look("review");
    await changeVariant("FER-COIL-USB", { availability: "out_of_stock" });
    const other = await page.context().newPage();
    await takeLink(other, "FER-POLE-40:1");
    await placeButton(page).click();
    await look("review with changes");
    await page.goto(at("/checkout"));
    await look("details with everything");
  });
});

test("an order in every state, and the list of orders", async () => {
  await visit(async (page, look) => {
    await page.goto(at("/account"));
    await look("no order");
    await takeLink(page, "QUI-WARD-BT:1,TAV-T40-BK:999");
    const number = await placeOrder(page, LONG);
    await look("unpaid");
    const tracking = ["--carrier", "x".repeat(100), "--number", "0".repeat(100), "--link", "https://carrier.example/1"];
    for (const [state, ...command] of [
      ["on hold", "hold", number],
      ["on credit", "release", number],
      ["paid in part", "paid", number, "--reference", "B-1", "--amount", "100.00"],
      ["sent in part", "sent", number, "--reference", "P-1", ...tracking, "--lines", "QUI-WARD-BT:1"],
      ["paid", "paid", number, "--reference", "B-2"],
      ["sent", "sent", number, "--reference", "P-2", "--link", "https://carrier.example/2"],
      ["refunded", "refunded", number, "--reference", "B-3", "--reason", "Returned"],
    ] as const) {
      await runOrderCommand(...command);
      await page.reload();
      await look(state);
    }
    await takeLink(page, "QUI-WARD-BT:1");
    await runOrderCommand("cancel", await placeOrder(page), "--reason", "Not paid in time");
    await page.reload();
    await look("cancelled");
    await page.goto(at("/account"));
    await look("list");
    await press(page, "Forget this browser");
    await look("forgotten");
  });
});

test("the search for an order in every state", async () => {
  await visit(async (page, look) => {
    await page.goto(at("/account/find"));
    await look("empty");
    await press(page, "Send me the link");
    await look("with errors");
    await page.getByLabel("Order number").fill("A-1");
    await page.getByLabel("E-mail address").fill("ada@novak.example");
    await press(page, "Send me the link");
    await look("answered");
    await page.goto(at("/account/orders/A-1"));
    await look("another's order");
    await page.goto(at("/account/open?key=cut"));
    await look("a link that was cut");
  });
});

test("a search in every state", async () => {
  await visit(async (page, look) => {
    const search = async (state: string, fields: Record<string, string>) => {
      await page.goto(at(`/search?${new URLSearchParams(fields)}`));
      await look(state);
    };
    await search("with several pages and filters", { q: "usb" });
    await search("the second page of products", { q: "usb", page: "2" });
    await search("one category's products, after a slip", { q: "pritner", in: "label-printers" });
    await search("a maker that isn't sold", { q: "epson" });
    await search("pages alone", { q: "returns" });
    await search("nothing found, for a long word", { q: "x".repeat(200) });
  });
});

test("problem pages of the API and of nginx", async () => {
  await visit(async (page, look) => {
    await page.goto(at("/cart/nothing"));
    await look("404");
    await page.goto(at("/cart?country=NL&country=DE"));
    await look("400");
    const sendFrom = async (content: string) => {
      await page.setContent(content);
      await page.getByRole("button").click();
      await page.waitForURL(at("/cart/lines"));
    };
    await page.goto("about:blank");
    await sendFrom(`<form method="post" action="${at("/cart/lines")}"><button>Send</button></form>`);
    await look("403");
    await page.goto(at("/cart"));
    const large = `<textarea name="items">${"x".repeat(70_000)}</textarea>`;
    await sendFrom(`<form method="post" action="/cart/lines">${large}<button>Send</button></form>`);
    await look("413 of nginx");
  });
  const errors = join(inject("dist"), ".session", "errors");
  for (const status of readdirSync(errors))
    expect(await findHtmlFaults(readFileSync(join(errors, status), "utf8"), status)).toEqual([]);
});

test("an order prints on one A4 page, with its amounts, its addresses and how to pay, and without forms", async () => {
  await withPage({ viewport: { width: 718, height: 1000 }, colorScheme: "dark" }, async (page) => {
    await takeLink(page, "QUI-WARD-BT:1,TAV-T40-BK:2,FER-POLE-40:1");
    await placeOrder(page);
    const number = await orderOn(page);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect([...pdf.matchAll(/\/Type \/Page\b/g)]).toHaveLength(1);
    await page.emulateMedia({ media: "print" });
    for (const text of [
      "NL74 EXMP 0123 4567 89",
      "QUI-WARD-BT",
      "Lange Straße 12",
      "14 Halfmoon Yard",
      `Order ${number}`,
    ])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    for (const hidden of [page.getByRole("link", { name: "Basket" }), page.getByText("print this page")])
      expect(await hidden.filter({ visible: true }).count()).toBe(0);
  });
});

test("a basket prints its products, quantities and total without buttons", async () => {
  await withPage({ viewport: { width: 718, height: 1000 } }, async (page) => {
    await takeLink(page, "QUI-WARD-BT:1,TAV-T40-BK:2");
    await page.emulateMedia({ media: "print" });
    await page.goto(at("/cart"));
    expect(await page.locator("main").locator("button, .button").filter({ visible: true }).count()).toBe(0);
    for (const text of ["QUI-WARD-BT", "TAV-T40-BK"]) expect(await page.getByText(text).isVisible()).toBe(true);
    const borders = `[...document.querySelectorAll("main .line-quantity input")].map((field) => getComputedStyle(field).borderTopWidth)`;
    expect(await page.evaluate(borders)).toEqual(["0px", "0px"]);
    expect(await page.getByRole("rowheader", { name: "Total" }).isVisible()).toBe(true);
  });
});
