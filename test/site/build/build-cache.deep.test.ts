import { expect, test } from "vitest";
import { newProduct, validContent } from "../content-check/content-tree.ts";
import { drawing, plain, printers } from "../shop/two-categories.ts";
import { useTwoShops } from "./two-shops.ts";

const { changeAndReuse, changeAndBuild } = useTwoShops();

test("after a picture is replaced, and in the next build a guide renamed from .mdx to .md, a build matches one from scratch", async () => {
  const reusedFirst = await changeAndReuse({ "products/printers/side.svg": drawing("20") });
  expect(reusedFirst).toContain("/products/p8");
  expect(reusedFirst).not.toContain("/products/q3");
  const { reused, differences } = await changeAndBuild({ "guides/plain.mdx": null, "guides/plain.md": plain });
  expect(differences).toEqual([]);
  // Of the first build, and of the one that this reused it from.
  expect(reused).toEqual(expect.arrayContaining(["/products/q3", "/products/p8"]));
});

test("after a category's move to the top every page is rendered again, and a build matches one from scratch", async () => {
  const moved = "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n";
  expect(await changeAndBuild({ [printers]: moved })).toEqual({ reused: [], differences: [] });
});

test("after a product is listed elsewhere too, pages without it are reused, and a build matches one from scratch", async () => {
  const q2 = newProduct("q2", "20.00", "also_in: [barcode-scanners]\nupdated: 2026-10-02");
  const { reused, differences } = await changeAndBuild({ "products/printers/q2.md": q2 });
  expect(differences).toEqual([]);
  expect(reused).toContain("/products/kestrel-c2");
  expect(reused).not.toContain("/categories/barcode-scanners");
});

test("after a new look every page is rendered again, and a build matches one from scratch", async () => {
  const look = 'look: { corner: 2, colours: { light: { accent: "#0b5751" }, dark: { accent: "#7fd6c8" } } }';
  const files = { "store.yaml": `${validContent["store.yaml"]}${look}\n`, "theme.css": "h1 { color: red }" };
  expect(await changeAndBuild(files)).toEqual({ reused: [], differences: [] });
});
