import { expect, test } from "vitest";
import { openAdmin } from "./admin-app.ts";

test("categories stand below those above them, and what a circle or a missing one hides comes last", async () => {
  const category = (title: string, order: number, parent = "") =>
    `---\ntitle: ${title}\norder: ${order}\n${parent && `parent: ${parent}\n`}---\n`;
  const { get } = await openAdmin({
    files: {
      "content/store.yaml": "locale: en-GB\n",
      "content/categories/printers.md": category("Printers", 2),
      "content/categories/tills.md": category("Tills", 1),
      "content/categories/labels.md": category("Labels", 1, "printers"),
      "content/categories/belt.md": category("Belt", 3, "labels"),
      "content/categories/round.md": category("Round", 1, "about"),
      "content/categories/about.md": category("About", 2, "round"),
      "content/categories/lost.md": category("Lost", 3, "gone"),
    },
  });
  const { body } = await get("/admin/prices");
  expect([...body.matchAll(/<option value="[^"]*"[^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual([
    ...["Tills", "Printers", "Printers › Labels", "Printers › Labels › Belt"],
    ...["Round", "About", "Lost"],
  ]);
});

test("categories are called by the titles of their YAML and in their order, whatever mistakes the drafts hold", async () => {
  const { get } = await openAdmin({
    files: {
      "content/store.yaml": "locale: en-GB\n",
      "content/categories/quoted.md": "---\norder: 3\ntitle: 'Quoted: it''s' # for now\n---\n",
      "content/categories/folded.md": "---\ntitle: >-\n  Folded\n  over lines\norder: 2\n---\ntitle: not this\n",
      "content/categories/escaped.md": '---\n"title": "Caf\\u00e9"\norder: 1\n---\n',
      "content/categories/a-list.md": "---\ntitle: [a, b]\norder: first\n---\n",
      "content/categories/broken.md": "---\ntitle: Broken\norder: [\n---\n",
      "content/categories/text-alone.md": "title: No fields\n",
    },
  });
  const { body } = await get("/admin/prices");
  const options = [...body.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(([, slug, title]) => [slug, title]);
  expect(options).toEqual([
    ["escaped", "Café"],
    ["folded", "Folded over lines"],
    ["quoted", "Quoted: it&#39;s"],
    ["a-list", "a-list"],
    ["broken", "broken"],
    ["text-alone", "text-alone"],
  ]);
});
