import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { problemsWith } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

const about = "pages/about.md";

test("files that a shop serves as they are can be linked, and need no other place", async () => {
  const files = {
    "static/ads.txt": "ads.example, 1, DIRECT\n",
    "static/google12ab.html": "google-site-verification: google12ab.html",
    "static/BingSiteAuth.xml": "<users/>",
    "static/favicon.ico": "icon",
    "static/press/letter_head.pdf": "%PDF-1.7",
    "static/.well-known/apple-developer-merchantid-domain-association": "7B2270",
    "static/.well-known/assetlinks.json": "[]",
    [about]: (validContent[about] ?? "").replace("/guides/choosing", "/press/letter_head.pdf"),
  };
  expect(await problemsWith(files)).toEqual([]);
});

test.each([
  ["script.js", "a", "Files of this type aren't served from here. Scripts aren't served:"],
  ["own.css", "a", "Styles of your own go into content/theme.css."],
  ["sign.svg", "a", "A drawing opened by itself can run scripts. Save it as PNG or WebP"],
  ["list.csv", "a", "Use a file that ends in txt, xml, json, html, ico, png, webp, woff2, pdf."],
  ["Ads.TXT", "a", "The ending must be in lowercase letters. Rename it: `Ads.txt`."],
  ["CNAME", "a", "A file without an ending is served in .well-known/ only."],
  [".htaccess", "a", "Hidden files aren't served, except those in .well-known/."],
  [".well-known/.secret", "a", "Hidden files aren't served, except those in .well-known/."],
  ["price list.pdf", "a", "Rename `price list.pdf` to `price-list.pdf`."],
  ["größe.txt", "a", "Rename `größe.txt` to `gro-e.txt`."],
  ["_next.txt", "a", "Rename `_next.txt` to `next.txt`."],
  ["robots.txt", "a", "The shop makes /robots.txt itself, and serves that instead. Delete this file."],
  ["sitemap.xml", "a", "The shop makes /sitemap.xml itself"],
  ["llms/more.txt", "a", "The shop has files of its own at addresses that begin with /llms/."],
  [".well-known/security.txt", "a", "The shop makes this file from `security` in content/store.yaml."],
  ["cart/terms.pdf", "a", "The shop itself answers addresses like /cart/terms.pdf"],
  ["api/v2.json", "{}", "The shop itself answers addresses like /api/v2.json"],
  [".well-known/acme-challenge/x", "a", "The shop itself answers addresses like /.well-known/acme-challenge/x"],
  ["about.html", "a", "The shop has a page at /about, to which /about.html leads. Choose another name."],
  ["index.html", "a", "The shop has a page at /, to which /index.html leads."],
  ["products/kestrel-c2.html", "a", "The shop has a page at /products/kestrel-c2"],
  ["products/kestrel-c1.html", "a", "The page `/products/kestrel-c2` was formerly at /products/kestrel-c1"],
  ["empty.txt", "", "The file is empty. Delete it, or save it again."],
  ["links.json", "{ 'a': 1 }", "The file isn't valid JSON ("],
  ["film.pdf", "a".repeat(5_000_001), "The file has 5.1 MB, and the limit is 5.0 MB."],
])("static/%s is refused with what to do", async (name, text, message) => {
  const [problem = "", ...others] = await problemsWith({ [`static/${name}`]: text });
  expect(others).toEqual([]);
  expect(problem.startsWith(`content/static/${name}: `)).toBe(true);
  expect(problem).toContain(message);
});

test("names that differ in capitals only, and files that are large together, are refused", async () => {
  expect(await problemsWith({ "static/Ads.txt": "a", "static/ads.txt": "a" })).toEqual([
    "content/static/ads.txt: Ads.txt differs from it in capitals only, which Windows and macOS can't tell apart. Rename one.",
  ]);
  const large = Object.fromEntries([1, 2, 3, 4, 5].map((name) => [`static/${name}.pdf`, new Uint8Array(4_500_000)]));
  expect(await problemsWith(large)).toEqual([
    expect.stringContaining("content/static/: All files together have 22.5 MB, and the limit is 20.0 MB."),
  ]);
});

test("a link to a file elsewhere isn't followed, wherever it leads", async () => {
  const root = writeContent({ "static/a.txt": "a" });
  symlinkSync("/etc/passwd", join(root, "content/static/b.txt"));
  symlinkSync("/nowhere", join(root, "content/static/c.txt"));
  symlinkSync("..", join(root, "content/static/d"));
  try {
    const advice = "A link to another file isn't followed. Put the file itself here.";
    expect((await checkContent(root)).map(formatProblem)).toEqual(
      ["b.txt", "c.txt", "d"].map((name) => `content/static/${name}: ${advice}`),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("an old address that is a file's needs no redirect", async () => {
  const problems = await problemsWith({ "static/a.txt": "a", "redirects.csv": "from,to\n/a.txt,/about\n" });
  expect(problems).toEqual([expect.stringContaining("The page `/a.txt` is there, so nobody is led away from it.")]);
});
