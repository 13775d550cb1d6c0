import fc from "fast-check";
import { expect, test } from "vitest";
import { readEmailAddress, readMailbox } from "../../../../api/contract/email-address.ts";
import { emailKey, mentionsEmail, showEmail } from "../../../../api/platform/mail/email-address.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { spelledAddresses } from "./spellings.ts";

test("however an address is typed or pasted, it has one form and one key, and its form is read as itself", () => {
  fc.assert(
    fc.property(spelledAddresses, ({ stored, spellings }) => {
      for (const spelling of spellings) {
        const address = readEmailAddress(spelling) ?? "";
        expect(address.toLowerCase()).toBe(stored.toLowerCase());
        expect(emailKey(spelling)).toBe(stored.toLowerCase());
        expect(readEmailAddress(address)).toBe(address);
        expect(readEmailAddress(showEmail(address))).toBe(address);
      }
    }),
    { numRuns: byDepth({ usual: 300, deep: 20_000 }), seed: seedFor("api/platform/mail") },
  );
});

test.each([
  ["Ada@BÜCHER.example", "Ada@xn--bcher-kva.example", "Ada@bücher.example"],
  ["ａｄａ﹫ｅｘａｍｐｌｅ。ｃｏｍ", "ada@example.com", "ada@example.com"],
  ["a@faß.example", "a@xn--fa-hia.example", "a@faß.example"],
  ["a@exa\u200cmple.com", "a@example.com", "a@example.com"],
  ["a@1e100.example", "a@1e100.example", "a@1e100.example"],
  ["a@EXAMPLE.com.", "a@example.com", "a@example.com"],
  ["a@bücher.example。", "a@xn--bcher-kva.example", "a@bücher.example"],
  ["\u2800a@example.com\u2800", "a@example.com", "a@example.com"],
  ["a@example\ufffc.com\uffff", "a@example.com", "a@example.com"],
])("%j is stored as %j and shown as %j", (typed, stored, shown) => {
  expect(readEmailAddress(typed)).toBe(stored);
  expect(showEmail(stored)).toBe(shown);
});

test.each([
  ...[
    "",
    "@",
    "ada",
    "ada@",
    "@example.com",
    "a@b@example.com",
    "a b@example.com",
    "a@exam ple.com",
    "<a@example.com>",
  ],
  ...[
    "inv..7@example.com",
    ".a@example.com",
    "a.@example.com",
    '"a b"@example.com',
    "a\\b@example.com",
    "a,b@example.com",
  ],
  ...["a@-example.com", "a@example-.com", "a@exa_mple.com", "a@example..com", "a@.example.com", "a@example.com.."],
  ...["a@127.0.0.1", "a@127.1", "a@0x7f.1", "a@[127.0.0.1]", "a@[IPv6:::1]", "a@localhost", "a@example.7"],
  ...["a@example.com/x", "a@example.com:25", "a@ex%61mple.com", "a@example.com?x", "a@example.com#x", "a@℀.com"],
  ...[
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(64)}.example`,
    `a@${"bb.".repeat(83)}example`,
    "žofie@example.com",
  ],
])("%j isn't an address for mail from anywhere", (typed) => {
  expect(readEmailAddress(typed)).toBeUndefined();
});

test.each([
  "<ada@example.com>",
  "Ada<ada@example.com>",
  "mailto:ada@example.com",
  "ada@example.com,",
  '"a"@example.com',
])("%j is no spelling of an address, so that nobody hears that the address is unknown", (typed) => {
  expect(emailKey(typed)).toBeUndefined();
});

test("tags, dots and letters that merely look alike are other addresses", () => {
  const alike = ["ada@example.com", "ada+x@example.com", "a.da@example.com", "аda@example.com", "ada@exаmple.com"];
  expect(new Set(alike.map(emailKey)).size).toBe(alike.length);
});

test("a text mentions an address, but not one that is part of a longer one", () => {
  const mentions = (text: string) => mentionsEmail(text, "ada@example.com");
  for (const text of [
    "Ada@EXAMPLE.com",
    "(ada＠example.com).",
    "mailto:ada@example.com?",
    "'ada@example.com'",
    "邮箱ada@example.com。",
  ])
    expect([text, mentions(text)]).toEqual([text, true]);
  for (const other of [
    "lada@example.com",
    "x.ada@example.com",
    "ada@example.community",
    "ada@example.com.au",
    "ada@example.com-x.de",
  ])
    expect([other, mentions(other)]).toEqual([other, false]);
  expect(mentionsEmail("ada@bücher.example", "ada@xn--bcher-kva.example")).toBe(true);
});

test("an editor of this computer alone may have a local address", () => {
  expect(readMailbox("Editor@localhost")).toBe("Editor@localhost");
});
