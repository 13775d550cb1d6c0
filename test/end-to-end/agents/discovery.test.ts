import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { writeSecurityTxt } from "../../../site/src/resources/security-txt.ts";
import { shops } from "../../workspace.ts";

const url = inject("shopUrl");
const canonical = "https://shop.example";

/** The targets of a Link header by relation. */
const linksOf = (answer: Response) =>
  new Map(
    (answer.headers.get("link") ?? "").split(", ").map((link) => {
      const [, target = "", relation = ""] = /^<([^>]*)>; rel="([^"]*)"/.exec(link) ?? [];
      return [relation, target] as const;
    }),
  );

/** Requests a path, or a canonical URL, from the shop under test. */
const getHere = (address: string) => fetch(url + address.replace(canonical, ""));

test("every target of the home page's Link header exists and has the type that it names", async () => {
  const home = await getHere("/");
  expect([...linksOf(home).keys()]).toEqual([
    ...["api-catalog", "service-desc", "service-doc", "describedby", "canonical", "alternate"],
  ]);
  for (const [relation, target] of linksOf(home)) {
    const answer = await getHere(target);
    const type = new RegExp(`rel="${relation}"; type="([^"]*)"`).exec(home.headers.get("link") ?? "")?.[1];
    expect([relation, answer.status]).toEqual([relation, 200]);
    expect(answer.headers.get("content-type")).toContain(type ?? "");
  }
});

test("every page links to its twin, and the twin back", async () => {
  const sitemap = await (await getHere("/sitemap.xml")).text();
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = ""]) => new URL(loc).pathname);
  expect(paths.length).toBeGreaterThan(25);
  for (const path of paths) {
    const links = linksOf(await getHere(path));
    expect(links.get("canonical")).toBe(canonical + path);
    const twin = await getHere(links.get("alternate") ?? "");
    expect([path, twin.status, linksOf(twin).get("canonical")]).toEqual([path, 200, canonical + path]);
  }
});

test("the API catalogue lists addresses that answer, and their descriptions", async () => {
  const { linkset } = JSON.parse(await (await getHere("/.well-known/api-catalog")).text());
  expect(linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual(
    ["/api/erp/status", "/api/orders", "/api/products", "/api/stock", "/products.json"].map((path) => canonical + path),
  );
  for (const { anchor, ...described } of linkset) {
    // The partner's addresses answer 401 without a token.
    const isPublic = anchor.endsWith("/status") || anchor.endsWith(".json");
    expect([anchor, (await getHere(anchor)).status]).toEqual([anchor, isPublic ? 200 : 401]);
    for (const [relation, [{ href, type }]] of Object.entries<[{ href: string; type: string }]>(described)) {
      const answer = await getHere(href);
      expect([relation, answer.status]).toEqual([relation, 200]);
      expect(answer.headers.get("content-type")).toContain(type);
    }
  }
});

test("security.txt has the contact of store.yaml, and is missing once it has expired", async () => {
  const store = readFileSync(join(shops.demo, "store.yaml"), "utf8");
  const expected = writeSecurityTxt(parseShop(store), new Date());
  const answer = await getHere("/.well-known/security.txt");
  expect(answer.status).toBe(expected === undefined ? 404 : 200);
  if (expected !== undefined) expect(await answer.text()).toBe(expected);
});
