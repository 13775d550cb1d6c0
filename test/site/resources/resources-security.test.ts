import { expect, test } from "vitest";
import { writeSecurityTxt } from "../../../site/src/resources/security-txt.ts";

const shop = {
  base_url: "https://shop.example",
  locale: "en-GB",
  security: { contact: "mailto:security@shop.example", expires: "2027-10-31" },
};

test("security.txt gives the contact, language, expiry date and canonical address", () => {
  expect(writeSecurityTxt(shop, new Date("2026-11-20T12:00:00Z"))).toBe(
    "Contact: mailto:security@shop.example\nExpires: 2027-10-31T23:59:59Z\nPreferred-Languages: en\nCanonical: https://shop.example/.well-known/security.txt\n",
  );
});

test("security.txt is published until the last second of its expiry date", () => {
  expect(writeSecurityTxt(shop, new Date("2027-10-31T23:59:59Z"))).toBeDefined();
  expect(writeSecurityTxt(shop, new Date("2027-11-01T00:00:00Z"))).toBeUndefined();
});

test("a shop without a security contact has no security.txt", () => {
  expect(writeSecurityTxt({ ...shop, security: undefined }, new Date("2026-11-20T12:00:00Z"))).toBeUndefined();
});
