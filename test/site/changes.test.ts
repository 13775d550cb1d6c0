import { expect, test } from "vitest";
import { newest, readLog } from "../../site/src/changes.ts";
import { publishOpenapi } from "../../site/src/resources/openapi.ts";

test("a file's day is that of its newest commit", () => {
  const log = "\x002026-03-01\n\ncontent/a.md\n\x002026-02-01\n\ncontent/a.md\ncontent/b.md\n\x002026-01-01\n";
  expect([...readLog(log, (path) => `../${path}`)]).toEqual([
    ["../content/a.md", "2026-03-01"],
    ["../content/b.md", "2026-02-01"],
  ]);
});

test("the newest of some days passes over unknown ones", () => {
  expect(newest([undefined, "2026-01-02", "2025-12-31"])).toBe("2026-01-02");
  expect(newest([undefined])).toBe(undefined);
});

test("the published API description has the shop's name, address and currency, and is else unchanged", () => {
  const write = (server: string, address: string, currency: string, title: string) => ({
    openapi: "3.0.3",
    info: { title, version: "1.0.0" },
    servers: [{ url: server }],
    paths: { "/a": { properties: { url: { example: address }, currency: { example: currency } }, "/b": ["EUR"] } },
  });
  const document = write("y", "https://shop.example/products/x", "EUR", "x");
  const shop = { name: "Teaware", base_url: "https://a.example", currency: "JPY" };
  expect(JSON.parse(publishOpenapi(JSON.stringify(document), shop))).toEqual(
    write("https://a.example", "https://a.example/products/x", "JPY", "Teaware: Public resources map"),
  );
});
