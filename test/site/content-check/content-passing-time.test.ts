import { expect, test } from "vitest";
import { kestrel, problemsAfter } from "./content-problems.ts";

const momentary = "is true only while it is new. Delete it, or name the day.";
const vague =
  "names no day. Write `available_from` in the fields above, or how long it takes from an order: “about two weeks from order”.";
const withoutYear =
  "has no year, so it reads the same a year later. The day belongs in `available_from`, which the shop drops when it has passed.";
const passed = "has passed. Say what is true now.";
const stock = "is true only until the stock changes, which `availability` shows. Delete it.";

test.each([
  ["Prices are as of this morning.", "as of this morning", momentary],
  ["It is currently our cheapest.", "currently", momentary],
  ["Der Preis gilt derzeit nur online.", "derzeit", momentary],
  ["White ones are expected soon.", "expected soon", vague],
  ["White ones are expected.", "are expected", vague],
  ["Wi-Fi models are about ten days away.", "ten days away", vague],
  ["White ones arrive in about two weeks.", "arrive in about two weeks", vague],
  ["Weiß ist bald wieder lieferbar.", "bald wieder lieferbar", vague],
  ["White ones ship from mid-January.", "ship from mid-January", withoutYear],
  ["Lieferbar ab Ende März.", "Lieferbar ab Ende März", withoutYear],
  ["It is due on 5 January 2026.", "due on 5 January 2026", passed],
  ["Spare parts are promised until 2021.", "until 2021", passed],
  ["Lieferbar ab 5. Januar 2026.", "Lieferbar ab 5. Januar 2026", passed],
  ["The white model is sold out.", "is sold out", stock],
])("“%s” in a product's text gets a warning", async (text, found, advice) => {
  expect(await problemsAfter(kestrel, "It scans.", text)).toEqual([`content/${kestrel}:20: “${found}” ${advice}`]);
});

test.each([
  "We order it for you, which takes two weeks. About four weeks from order.",
  "In February 2024 a regulator forbade it, and since January 2020 it may not be used.",
  "Parts are promised until 2099. It is due on 5 January 2099, and expected to last.",
  "If a model is out of stock, ask us. At the moment of purchase the tax is fixed.",
  "It sends them as soon as it is back in range. It may arrive. May we help?",
])("“%s” gets no warning", async (text) => {
  expect(await problemsAfter(kestrel, "It scans.", text)).toEqual([]);
});

test("a page may say that something is out of stock, because it means no version in particular", async () => {
  const text = "Then your article is out of stock, and we write to you.";
  expect(await problemsAfter("pages/about.md", "We test.", text)).toEqual([]);
  expect(await problemsAfter("pages/about.md", "We test.", "We deliver as of today.")).toHaveLength(1);
});
