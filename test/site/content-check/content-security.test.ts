import { expect, test } from "vitest";
import { problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const store = validContent["store.yaml"] ?? "";
const line = store.split("\n").length;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The problems of a contact; line numbers count from the `security` line. */
async function problemsOf(contact: string, expires: string): Promise<string[]> {
  const text = `${store}security:\n  contact: ${contact}\n  expires: ${expires}\n`;
  const problems = await problemsWith({ "store.yaml": text });
  return problems.map((problem) =>
    problem.replace(/^content\/store\.yaml:(\d+)/, (_, found) => String(found - line + 1)),
  );
}

test.each(["mailto:security@shop.example", "https://shop.example/report?to=us"])(
  "%s is a valid contact",
  async (contact) => {
    expect(await problemsOf(contact, inDays(300))).toEqual([]);
  },
);

test.each([
  "security@shop.example",
  "mailto:security",
  "http://shop.example/report",
  "https://",
  '"https://shop.example/\\nExpires:x"',
  "tel:+441134960123",
])("%s isn't a valid contact", async (contact) => {
  const written = contact.replace(/^"?(.*?)"?$/, '"$1"');
  expect(await problemsOf(contact, inDays(300))).toEqual([
    `2: security, contact ${written} isn't an email address after \`mailto:\` or an https address. Write, for example, \`mailto:security@shop.example\`.`,
  ]);
});

test("an invalid date is reported", async () => {
  expect(await problemsOf("mailto:security@shop.example", "2026-02-30")).toEqual([
    '3: security, expires "2026-02-30" isn\'t a valid date. Write it as `2026-11-20`: year-month-day.',
  ]);
});

test("a contact without an expiry date is reported", async () => {
  const text = `${store}security:\n  contact: mailto:security@shop.example\n`;
  expect(await problemsWith({ "store.yaml": text })).toEqual([
    `content/store.yaml:${line}: security, expires is missing. Write it as \`2026-11-20\`: year-month-day.`,
  ]);
});

test.each([
  [-400, "has passed"],
  [-1, "has passed"],
  [0, "is near"],
  [29, "is near"],
])("a contact that expires in %i days is reported", async (days, state) => {
  const day = inDays(days);
  expect(await problemsOf("mailto:security@shop.example", day)).toEqual([
    `3: security, expires ${day} ${state}. After that date the shop is built without /.well-known/security.txt. If the contact is still right, write a later date.`,
  ]);
});

test("a contact that is valid for more than a year is reported", async () => {
  expect(await problemsOf("mailto:security@shop.example", inDays(365))).toEqual([]);
  const day = inDays(367);
  expect(await problemsOf("mailto:security@shop.example", day)).toEqual([
    `3: security, expires ${day} is more than a year away. Write a date within a year (RFC 9116).`,
  ]);
});

test("pages may link to security.txt when the shop has one", async () => {
  const about = (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/.well-known/security.txt");
  const shop = `${store}security:\n  contact: mailto:a@shop.example\n  expires: ${inDays(300)}\n`;
  expect(await problemsWith({ "pages/about.md": about, "store.yaml": shop })).toEqual([]);
  expect(await problemsWith({ "pages/about.md": about })).toEqual([
    expect.stringContaining("content/pages/about.md:7: No page `/.well-known/security.txt`."),
  ]);
});
