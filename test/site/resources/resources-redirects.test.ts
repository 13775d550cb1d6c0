import { expect, test } from "vitest";
import { writeRedirectsMap } from "../../../site/src/resources/redirects-map.ts";

test("each former path redirects to the current one, in sorted order", () => {
  const pages = [
    { path: "/products/new", formerPaths: ["/products/old", "/products/older"] },
    { path: "/about", formerPaths: [] },
  ];
  expect(writeRedirectsMap(pages)).toBe("/products/old /products/new;\n/products/older /products/new;\n");
});

test("without renamed pages the map is empty", () => {
  expect(writeRedirectsMap([{ path: "/about", formerPaths: [] }])).toBe("");
});

test("a former path that is a page's address is refused", () => {
  const pages = [
    { path: "/a", formerPaths: [] },
    { path: "/b", formerPaths: ["/a"] },
  ];
  expect(() => writeRedirectsMap(pages)).toThrow("/b says that it was formerly /a, but it is a page's address");
});

test("a former path that two pages claim is refused", () => {
  const pages = ["/a", "/b"].map((path) => ({ path, formerPaths: ["/c"] }));
  expect(() => writeRedirectsMap(pages)).toThrow("/b says that it was formerly /c, but /a says so too");
});

test.each(["/a b", "/a;", "/$x", '/"', "/{", "~x", "/a\n"])(
  "%j is rejected as a former path, to protect nginx's configuration",
  (former) => {
    expect(() => writeRedirectsMap([{ path: "/a", formerPaths: [former] }])).toThrow("can't stand in an nginx map");
  },
);
