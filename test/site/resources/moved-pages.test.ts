import { expect, test } from "vitest";
import { listMovedPages } from "../../../site/src/resources/moved-pages.ts";

test("each former path redirects to the current one, in sorted order", () => {
  const pages = [
    { path: "/products/new", formerPaths: ["/products/old", "/products/older"] },
    { path: "/about", formerPaths: [] },
  ];
  expect(listMovedPages(pages)).toBe("/products/old /products/new\n/products/older /products/new\n");
});

test("without renamed pages the list is empty", () => {
  expect(listMovedPages([{ path: "/about", formerPaths: [] }])).toBe("");
});

test("a former path that is a page's address is refused", () => {
  const pages = [
    { path: "/a", formerPaths: [] },
    { path: "/b", formerPaths: ["/a"] },
  ];
  expect(() => listMovedPages(pages)).toThrow("/b says that it was formerly /a, but it is a page's address");
});

test("a former path that two pages claim is refused", () => {
  const pages = ["/a", "/b"].map((path) => ({ path, formerPaths: ["/c"] }));
  expect(() => listMovedPages(pages)).toThrow("/b says that it was formerly /c, but /a says so too");
});

test.each(["/a b", "/a;", "/$x", '/"', "/{", "~x", "/a\n", "/../a", "//a"])(
  "%j is rejected as a former path, because nginx would never look it up",
  (former) => {
    expect(() => listMovedPages([{ path: "/a", formerPaths: [former] }])).toThrow("isn't a page's path");
  },
);
