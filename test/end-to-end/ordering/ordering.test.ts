import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { withPage } from "../visitors/with-page.ts";
import {
  addProduct,
  at,
  changeVariant,
  enterDetails,
  linkIn,
  openOrderingShop,
  orderOn,
  placeButton,
  placeOrder,
  readMail,
  runOrderCommand,
  takeLink,
  VALID_VAT_ID,
} from "./ordering-shop.ts";

openOrderingShop();

/** A phone without JavaScript, as all customers here. */
const phone = { javaScriptEnabled: false, viewport: { width: 320, height: 640 } };
const withCustomer = <T>(use: (page: Page) => Promise<T>) => withPage(phone, use);

/** What the page shows once it's complete: a click returns when it begins. */
async function main(page: Page): Promise<string> {
  await page.waitForLoadState();
  return (await page.locator("main").textContent()) ?? "";
}
const heading = (page: Page) => page.locator("h1").textContent();
const orderPath = (number: string) => at(`/account/orders/${number}`);

/** The orders that the browser knows. */
async function ordersOf(page: Page): Promise<string[]> {
  await page.goto(at("/account"));
  const paths = await page.locator(".orders a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  return paths.map((path) => path?.split("/").at(-1) ?? "");
}

test("what a filtered list, a comparison and a guide lead to orders the version that they speak of", async () => {
  await withCustomer(async (page) => {
    await page.goto(at("/categories/barcode-scanners"));
    await page.locator(".facets > summary").click();
    await page.getByRole("checkbox", { name: /^2D/ }).check();
    // To the page on which that version is chosen.
    const pip = page.locator(".card").filter({ hasText: "Tavrel Pip" });
    await pip.getByRole("link", { name: /1D and 2D: / }).click();
    await page.locator(".product").getByRole("button", { name: "Add to basket", exact: true }).first().click();
    expect(await heading(page)).toBe("Basket");
    await page.goto(at("/categories/label-printers/compare"));
    await page
      .getByRole("button", { name: /^Add to basket: Aldersyde Snip 4/ })
      .first()
      .click();
    await page.goto(at("/guides/choosing-a-receipt-printer"));
    await page.getByRole("button", { name: /^Add to basket: Pellcott R80/ }).click();
    for (const shown of ["TAV-PIP-2D", "€149.00", "ALD-SNIP4-300", "€629.00", "PEL-R80-LAN", "€209.00"])
      expect(await main(page)).toContain(shown);
  });
});

test("a product gets from its page to an order, and a mail's link opens the order in another browser", async () => {
  const number = await withCustomer(async (page) => {
    await addProduct(page, "marlstead-cafe-10", "2");
    expect(await heading(page)).toBe("Basket");
    expect(await main(page)).toContain("€758.00");
    await page.getByLabel("Deliver to").selectOption("NL");
    await page.getByRole("button", { name: "Show the cost" }).click();
    expect(await main(page)).toMatch(/Total\s*€758.00/);
    await page.getByRole("button", { name: "Go to checkout" }).click();
    expect(await heading(page)).toBe("Your details");
    await enterDetails(page, { country_code: "NL", postal_code: "1012 AB", city: "Amsterdam" });
    expect(await heading(page)).toBe("Check your order");
    expect(await placeButton(page).textContent()).toBe("Place order for €758.00");
    await placeButton(page).click();
    const placed = await orderOn(page);
    expect(await heading(page)).toBe(`Order ${placed}`);
    for (const shown of ["waiting for your payment", "NL74 EXMP 0123 4567 89", "€758.00", "1012 AB Amsterdam"])
      expect(await main(page)).toContain(shown);
    return placed;
  });
  const mail = await readMail(number, "order_received");
  expect(mail.subject).toContain(number);
  await withCustomer(async (page) => {
    expect((await page.goto(orderPath(number)))?.status()).toBe(404);
    await page.goto(linkIn(mail));
    expect(new URL(page.url()).pathname).toBe(`/account/orders/${number}`);
    expect(page.url()).not.toContain("key");
    expect(await main(page)).toContain("€758.00");
    expect(await ordersOf(page)).toEqual([number]);
  });
});

test("fault 1: a double click on the button makes one order", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    await enterDetails(page);
    await placeButton(page).dblclick();
    const number = await orderOn(page);
    expect(await ordersOf(page)).toEqual([number]);
  });
});

test("fault 1: two requests at the same moment make one order", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    await enterDetails(page);
    const fields = await page
      .locator("#order input")
      .evaluateAll((all) => all.map((field) => [field.getAttribute("name"), field.getAttribute("value")]));
    const form = Object.fromEntries(fields) as Record<string, string>;
    const send = () => page.request.post(at("/checkout/place"), { form, headers: { origin: at("") } });
    const [first, second] = await Promise.all([send(), send()]);
    expect(first.url()).toMatch(/\/account\/orders\/A-\d+$/);
    expect(second.url()).toBe(first.url());
    expect(await ordersOf(page)).toHaveLength(1);
  });
});

test("fault 2: two tabs that place the same basket lead to one order", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    await enterDetails(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await Promise.all([placeButton(page).click(), placeButton(other).click()]);
    expect(await orderOn(other)).toBe(await orderOn(page));
    expect(await ordersOf(page)).toHaveLength(1);
  });
});

test("fault 2: what another tab adds is shown before it's ordered", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    await enterDetails(page);
    await takeLink(await page.context().newPage(), "FER-POLE-40:1");
    await placeButton(page).click();
    expect(await page.title()).toMatch(/^Error: Check your order/);
    expect(await page.locator(":focus").textContent()).toContain("Something has changed since you saw this page");
    expect(await main(page)).toContain("Added since you saw this page.");
    await placeButton(page).click();
    await orderOn(page);
    expect(await main(page)).toContain("FER-POLE-40");
  });
});

test("faults 3 and 4: Back after placing, and a reload of the order's page, show the one order", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    const number = await placeOrder(page);
    await page.reload();
    expect(await heading(page)).toBe(`Order ${number}`);
    await page.goBack();
    if (await placeButton(page).isVisible()) await placeButton(page).click();
    expect(await orderOn(page)).toBe(number);
    expect(await ordersOf(page)).toEqual([number]);
    await page.goto(at("/cart"));
    expect(await main(page)).toContain("Your basket is empty.");
  });
});

test.each(['<b>Ada</b> & "Co" <script>', "Ada 🦆", "مها الأحمد"])(
  "30: a customer called %s is called so on the review, the order and in the mail",
  async (name) => {
    await withCustomer(async (page) => {
      await takeLink(page, "QUI-WARD-BT:1");
      await enterDetails(page, { last_name: name });
      expect(await main(page)).toContain(`Ada ${name}`);
      await placeButton(page).click();
      const number = await orderOn(page);
      expect(await main(page)).toContain(`Ada ${name}`);
      const mail = await readMail(number, "order_received");
      expect(mail.text).toContain(`Ada ${name}`);
      expect(mail.html).not.toMatch(/<b>Ada|<script/);
    });
  },
);

test.each([
  ["Switzerland", { country_code: "CH", postal_code: "8001", city: "Zürich" }, "€341.32", "Export outside the EU"],
  ["Leeds", { country_code: "GB", postal_code: "ls1 9ck", city: "Leeds" }, "€341.32", "Export outside the EU"],
  ["Belfast", { country_code: "GB", postal_code: "bt1 5gs", city: "Belfast" }, "€409.59", "20% VAT"],
  ["Cologne, with a valid VAT number", { vat_id: VALID_VAT_ID }, "€327.69", "we charge no VAT"],
  ["Cologne, with an invalid VAT number", { vat_id: "DE136695977" }, "€389.95", "VIES doesn’t know"],
])(
  "a delivery to %s costs the same on the review and the order's page, which say why",
  async (_, entered, total, why) => {
    await withCustomer(async (page) => {
      await takeLink(page, "QUI-WARD-BT:1");
      const review = async () => {
        await enterDetails(page, entered);
        expect(await main(page)).toContain(why);
      };
      // VIES has 3 s; without an answer the review says so, and it's asked again when the details are sent again.
      await ("vat_id" in entered ? eventually(review) : review());
      expect(await placeButton(page).textContent()).toBe(`Place order for ${total}`);
      await placeButton(page).click();
      await orderOn(page);
      expect(await main(page)).toMatch(new RegExp(`Total\\s*${total}`));
    });
  },
);

test("fault 34: 999 pieces can be ordered, and the basket says whom to ask for more", async () => {
  await withCustomer(async (page) => {
    await addProduct(page, "quillon-ward", "999");
    await takeLink(page, "QUI-WARD-BT:1");
    expect(await page.getByLabel("Quantity").inputValue()).toBe("999");
    expect(await main(page)).toContain("For more, write to sales@shop.example");
    await placeOrder(page, { country_code: "NL" });
    expect(await main(page)).toContain("€388,611.00");
  });
});

test("fault 8: a version that goes out of stock meanwhile is left out, and the rest can be ordered", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "PEL-M58-BT:1,QUI-WARD-BT:1");
    await enterDetails(page);
    await changeVariant("PEL-M58-BT", { availability: "out_of_stock" });
    await placeButton(page).click();
    expect(await page.locator(".error-summary").textContent()).toContain("nothing was ordered");
    expect(await main(page)).toContain("This item can’t be ordered any more");
    await placeButton(page).click();
    await orderOn(page);
    expect(await main(page)).not.toContain("PEL-M58-BT");
    await page.goto(at("/cart"));
    expect(await main(page)).toContain("Nothing here can be ordered at the moment.");
    await changeVariant("PEL-M58-BT", { availability: "in_stock" });
  });
});

test("a link to a selection shows it without a cookie, and puts it into the basket when the person wants it", async () => {
  await withCustomer(async (page) => {
    await page.goto(at("/buy/QUI-WARD-BT:2,NO-SUCH-SKU:1,FER-POLE-40:1"));
    expect(await main(page)).toContain("We have no version with the SKU NO-SUCH-SKU.");
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole("button", { name: "Add to basket", exact: true }).click();
    expect(await heading(page)).toBe("Basket");
    await page.waitForLoadState();
    const quantities = page.getByLabel("Quantity");
    expect(await Promise.all((await quantities.all()).map((field) => field.inputValue()))).toEqual(["2", "1"]);
  });
});

test("an order's page follows what the shop records: paid, refunded, cancelled", async () => {
  await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    const number = await placeOrder(page);
    await runOrderCommand("paid", number, "--reference", "B-1");
    await page.reload();
    expect(await main(page)).toContain("Your order is paid");
    expect(await main(page)).not.toContain("IBAN");
    expect((await readMail(number, "payment_received")).text).toContain(number);
    await runOrderCommand("refunded", number, "--reference", "B-2");
    await page.reload();
    expect(await main(page)).toContain("Your order has been refunded.");
    await takeLink(page, "QUI-WARD-BT:1");
    await runOrderCommand("cancel", await placeOrder(page), "--reason", "Ordered twice");
    await page.reload();
    expect(await main(page)).toContain("Your order is cancelled.");
    expect(await main(page)).toContain("Reason: Ordered twice");
  });
});

test("a customer without the mail gets another link by the order's number and the e-mail address", async () => {
  const number = await withCustomer(async (page) => {
    await takeLink(page, "QUI-WARD-BT:1");
    return placeOrder(page, { email: "lost@novak.example" });
  });
  await withCustomer(async (page) => {
    const answers: string[] = [];
    for (const [typed, email] of [
      ["A-9999999", "lost@novak.example"],
      [number.toLowerCase().replace("-", " - "), "LOST@novak.example"],
    ] as const) {
      await page.goto(at("/account/find"));
      await page.getByLabel("Order number").fill(typed);
      await page.getByLabel("E-mail address").fill(email);
      await page.getByRole("button", { name: "Send me the link" }).click();
      answers.push(await main(page));
    }
    expect(answers[0]).toContain("If there is an order with this number");
    expect(answers[1]).toBe(answers[0]);
    await page.goto(linkIn(await readMail(number, "order_link")));
    expect(await orderOn(page)).toBe(number);
  });
});

test("fault 37: a browser that keeps no cookies is told so, and nothing loops", async () => {
  const server = await startCookieStopper();
  await withPage({ ...phone, proxy: { server, bypass: "<-loopback>" } }, async (page) => {
    await addProduct(page, "marlstead-cafe-10");
    expect(await heading(page)).toBe("Your browser doesn’t keep cookies");
    expect(await page.context().cookies()).toEqual([]);
  });
});

/** Starts a proxy that lets no cookie through. Returns its address. */
async function startCookieStopper(): Promise<string> {
  const proxy = createServer((request, response) => {
    const { url = "", method, headers } = request;
    const passOn = httpRequest(url, { method, headers }, (answer) => {
      const { "set-cookie": _, ...others } = answer.headers;
      answer.pipe(response.writeHead(answer.statusCode ?? 502, others));
    });
    request.pipe(passOn);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
