import { expect, test } from "vitest";
import { RIGHTS } from "../../../api/contract/staff-rights.ts";
import { forRights, renderStaffFrame } from "../../../site/admin/frame/page.ts";
import { signInPages } from "../../../site/admin/frame/sign-in-page.ts";
import { renderPreview } from "../../../site/admin/pages/preview-page.ts";
import { inLabels } from "../../../site/admin/pages/problems.ts";
import { wordsFor } from "../../../site/admin/words.ts";
import { adminSheet } from "../../nginx/sign-in-files.ts";
import { openAdmin } from "./admin-app.ts";
import { ANN, demoShopWith } from "./repository.ts";

const headerOf = (page: string) => /<header[\s\S]*<\/header>/.exec(page)?.[0];
const sheetsOf = (page: string) =>
  [...page.matchAll(/<link rel="stylesheet" href="([^"]+)">|<style/g)].map(([, path]) => path);

test("every page of /admin has the one style sheet and the one header, which marks where it is", async () => {
  const { get, editor } = await openAdmin({ files: demoShopWith("barcode-scanners/tavrel-pip") });
  const words = wordsFor("en");
  const forAll = (page: string) => forRights(page, new Set(RIGHTS));
  const pages = new Map([
    ["preview", forAll(renderPreview(words, "/about", { html: "", markdown: "", leftOut: [] }))],
    // The frames of the API's pages.
    ...["home", "orders", "order-print", "stock-list", "problem"].map((name): [string, string] => [
      name,
      forAll(renderStaffFrame(words, name, "Title", "<h1>Title</h1>")),
    ]),
  ]);
  for (const path of ["/admin/cms/", "/admin/prices", "/admin/publish", "/admin/history", "/admin/nowhere"])
    pages.set(path, (await get(path, { ...editor(ANN), accept: "text/html" })).body);
  const places = Object.fromEntries(
    [...pages].map(([path, page]) => [path, /<a href="([^"]+)" aria-current="page">/.exec(page)?.[1]]),
  );
  expect(places).toEqual({
    preview: "/admin/publish",
    ...{ home: "/admin", orders: "/admin/orders", "order-print": "/admin/orders", "stock-list": "/admin/stock" },
    problem: undefined,
    "/admin/cms/": "/admin/cms/",
    "/admin/prices": "/admin/prices",
    "/admin/publish": "/admin/publish",
    "/admin/history": "/admin/history",
    "/admin/nowhere": undefined,
  });
  const header = headerOf(pages.get("/admin/nowhere") ?? "");
  expect(header).toContain("Sign out");
  for (const [path, page] of pages)
    expect([path, headerOf(page)?.replace(' aria-current="page"', "")]).toEqual([path, header]);
  // Nobody is signed in there: of the header, what leads to /admin stays.
  for (const [path, page] of signInPages({ name: "Shop", locale: "en-GB" })) {
    pages.set(path, page);
    expect([path, headerOf(page)]).toEqual([path, header?.replace(/<nav[\s\S]*<\/form>\n/, "")]);
  }
  for (const [path, page] of pages) expect([path, sheetsOf(page)]).toEqual([path, ["/admin/admin.css"]]);
});

test("the sheet of /admin has no colour of its own on screens, and no name that the shop's tokens lack", () => {
  const [tokens = "", rules = ""] = adminSheet().split("Every page below /admin.");
  const names = [...rules.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !tokens.includes(`--${name}:`))).toEqual([]);
  const [onScreens = ""] = rules.split("@media print");
  expect(onScreens.match(/#[0-9a-f]{3,8}\b(?=[;, )])/g)).toBe(null);
});

test("signing in is in the shop's language, as its country spells it, and in English where there are no words", () => {
  const read = (locale: string) => signInPages({ name: "Tea & <Co>", locale }).get("sign-in");
  expect(read("en-IE")).toMatch(/<html lang="en">[\s\S]*Tea &#38; &#60;Co&#62;[\s\S]*Sign in with a passkey/);
  expect(read("de-AT")).toMatch(/<html lang="de">[\s\S]*Mit Passkey anmelden/);
  expect(read("de-CH")).not.toContain("ß");
  expect(read("fr-FR")).toMatch(/<html lang="en">[\s\S]*Sign in with a passkey/);
});

test("what the check says has the form's labels, of the fields of a list's items too", () => {
  const said = (problem: string) => inLabels(wordsFor("de"), problem);
  expect(said('content/store.yaml:8: shipping, zone 2, free_from "1" is')).toBe(
    'store.yaml, Zeile 8: Lieferung, Zonen 2, Versandkostenfrei ab "1" is',
  );
  expect(said("content/products/a/b.md:9: variant 1, options, Farbe is")).toBe(
    "products/a/b.md, Zeile 9: Ausführungen 1, Merkmale, Farbe is",
  );
  expect(said("content/pages/a.md: picture 1, alt is")).toBe("pages/a.md: Bilder 1, Beschreibung des Bildes is");
});
