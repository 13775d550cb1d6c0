import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PRIVATE_PATHS } from "../../api/platform/private-pages/scope.ts";
import { disallowedPaths } from "../../site/urls/paths.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
/** What caches pass to nginx, beside the API's pages. */
const OTHERS = ["/api", "/admin", "/index.php"];

test("nginx passes every private address on; of searches, those with words, which conf/search.conf does", () => {
  const locations = read("nginx/conf/private-pages.conf").matchAll(/^location \S+ (\/\w+)/gm);
  const paths = new Set(Array.from(locations, ([, path]) => path));
  expect([...paths, "/search"].sort()).toEqual([...PRIVATE_PATHS].sort());
});

test("README's rule for Cloudflare leaves out every private address", () => {
  const [row = ""] = /^\| when \| .+$/m.exec(read("nginx/production/README.md")) ?? [];
  const paths = Array.from(row.matchAll(/`([^`]+)`/g), ([, path]) => path);
  expect(paths.sort()).toEqual([...PRIVATE_PATHS, ...OTHERS].sort());
});

test("Varnish passes every private address on; of searches, it does so by their query", () => {
  const [, words = ""] = /"\^\/\(\?:(.+?)\)\(\?:\[\/\.\]\|\$\)"/.exec(read("nginx/production/varnish.vcl")) ?? [];
  const paths = words.split("|").map((word) => `/${word.replace("\\", "")}`);
  expect([...paths, "/search"].sort()).toEqual([...PRIVATE_PATHS, ...OTHERS].sort());
});

test("crawlers are kept from private addresses alone", () => {
  const isPrivate = (path: string) => [...PRIVATE_PATHS, ...OTHERS].some((each) => `${path}/`.startsWith(`${each}/`));
  expect(disallowedPaths.filter((path) => !isPrivate(path))).toEqual([]);
});
