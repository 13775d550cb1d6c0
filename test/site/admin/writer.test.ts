import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { storeTyped } from "../../../site/admin/content/typed.ts";
import { mergeBodies } from "../../../site/admin/forms/body.ts";
import type { Form, FormGroup } from "../../../site/admin/forms/form.ts";
import { saysTheSame } from "../../../site/admin/forms/form.ts";
import { parseForm, printForm } from "../../../site/admin/forms/form-text.ts";
import { formatNamed } from "../../../site/admin/forms/formats.ts";
import { mergeFiles } from "../../../site/admin/forms/merge.ts";
import { readFile, Unreadable, writeFile } from "../../../site/admin/forms/writer.ts";
import { writeCatalogue } from "../../catalogue-generator.ts";
import { byDepth, seedFor } from "../../depth.ts";
import { shops } from "../../workspace.ts";
import { changedLines, contentFiles, expectFaithfulWriter } from "./round-trip.ts";

const product = formatNamed("products");
const page = formatNamed("pages");

/** A product as people write it: comments, every style of quotes and lists, an anchor, an empty field. */
const written = `---
# Ann knows the maker.
title:   Reader 5   # the old one was 4
brand: 'Acme'
summary: "Reads codes, \\"all\\" of them"
also_called: [ kiosk scanner,OEM scanner ]
images:
# the main one
- src: ./reader.svg
  alt: &seen Seen from the left
- {src: ./side.svg, alt: *seen}
sku: "ACM-R5"
gtin:
price: "79.00"      # since May
availability: in_stock

specifications:
    Type: Handheld
    Reads: [1D, 2D]   # all
    "Max. distance": "25 cm"
    1: one
works_with:
  pellcott-r80: {reason: 'one port, each', versions: [A, B]}
  ostrey: "by USB"
questions:
  - question: Folded?
    answer: >-
      Yes, it is folded
      over two lines.

  - question: Literal?
    answer: |
      One.

      Two.
wrong_field: kept
updated: 2026-11-20
---

Hello *world*.


* one
* two
`;

const variations = {
  "as it is": (text: string) => text,
  "with Windows' line ends": (text: string) => text.replaceAll("\n", "\r\n"),
  "with a byte order mark": (text: string) => `\uFEFF${text}`,
  "without a last line end": (text: string) => text.trimEnd(),
};

function change(text: string, edit: (values: FormGroup) => void): string {
  const form = readFile(product, text);
  edit(form.values);
  return writeFile(product, text, form);
}

describe("nothing changed", () => {
  test("no file of the demo shop changes by a byte, and a changed price is one line", () => {
    const files = contentFiles(shops.demo);
    expect(files.length).toBeGreaterThan(90);
    for (const file of files) expectFaithfulWriter(file);
  });

  test("nor does one of a generated catalogue", () => {
    const products = byDepth({ usual: 300, deep: 10_000 });
    const folder = mkdtempSync(join(tmpdir(), "twinfront-content-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "categories"));
    writeCatalogue(folder, { products });
    const files = contentFiles(folder);
    expect(files.length).toBeGreaterThan(products);
    for (const file of files) expectFaithfulWriter(file);
  }, 1_200_000);

  test.each(Object.entries(variations))("a file with comments, anchors and every style of quotes, %s", (_, vary) => {
    const text = vary(written);
    const form = parseForm(product, printForm(product, readFile(product, text)));
    expect(writeFile(product, text, form)).toBe(text);
  });
});

describe("a changed value leaves the rest alone", () => {
  test.each(Object.entries(variations))("%s", (_, vary) => {
    const text = vary(written);
    const changed = change(text, (values) => {
      values["price"] = "80.00";
    });
    expect(changed).toBe(text.replace('"79.00"', '"80.00"'));
  });

  const edits: [string, (values: FormGroup) => void, string, string][] = [
    ["beside a comment", (v) => set(v, "title", "Reader 6"), "title:   Reader 5 ", "title:   Reader 6 "],
    ["in single quotes", (v) => set(v, "brand", "Acme's"), "'Acme'", "'Acme''s'"],
    [
      "in double quotes",
      (v) => set(v, "summary", 'Says "hello"'),
      '"Reads codes, \\"all\\" of them"',
      '"Says \\"hello\\""',
    ],
    [
      "in a block's list of values",
      (v) => set(row(v, "specifications", 1), "value", "1D\n2D\nOCR, too"),
      "[1D, 2D]",
      '[1D, 2D, "OCR, too"]',
    ],
    ["of a name with a dot", (v) => set(row(v, "specifications", 2), "value", "30 cm"), '"25 cm"', '"30 cm"'],
    ["between braces", (v) => set(row(v, "works_with", 0), "versions", "A\nC"), "[A, B]", "[A, C]"],
    [
      "that stood alone and gets a group",
      (v) => set(row(v, "works_with", 1), "one_way", true),
      '  ostrey: "by USB"',
      "  ostrey:\n    reason: by USB\n    one_way: true",
    ],
    [
      "in folded text",
      (v) => set(row(v, "questions", 0), "answer", "No."),
      ">-\n      Yes, it is folded\n      over two lines.",
      "No.",
    ],
    ["that was empty", (v) => set(v, "gtin", "2000000000015"), "gtin:", 'gtin: "2000000000015"'],
  ];
  test.each(edits)("%s", (_, edit, from, to) => {
    expect(change(written, edit)).toBe(written.replace(from, to));
  });

  test("a new field stands where the schema has it", () => {
    const changed = change(written, (values) => set(values, "available_from", "2099-01-02"));
    expect(changed).toBe(
      written.replace("availability: in_stock\n", "availability: in_stock\navailable_from: 2099-01-02\n"),
    );
  });

  test("an emptied field goes with its line", () => {
    expect(change(written, (values) => set(values, "brand", ""))).toBe(written.replace("brand: 'Acme'\n", ""));
  });

  test("items of a list are added, moved and removed as they are written", () => {
    const changed = change(written, (values) => {
      const questions = values["questions"] as FormGroup[];
      values["questions"] = [...questions.toReversed(), { question: "New?", answer: "Yes." }];
    });
    expect(changed).toContain(
      "questions:\n  - question: Literal?\n    answer: |\n      One.\n\n      Two.\n  - question: Folded?\n    answer: >-\n      Yes, it is folded\n      over two lines.\n  - question: New?\n    answer: Yes.\nwrong_field",
    );
  });

  test("a price without quotes gets them, with all its digits", () => {
    const text = written.replace('"79.00"', "79.10");
    const form = parseForm(product, printForm(product, readFile(product, text)));
    expect(writeFile(product, text, form)).toBe(written.replace('"79.00"', '"79.10"'));
  });
});

describe("a text", () => {
  const editBody = (from: string, to: string) => {
    const form = readFile(product, written);
    return writeFile(product, written, { ...form, body: form.body.replace(from, to) });
  };

  test("that means the same keeps its bytes", () => {
    expect(editBody("*world*", "_world_")).toBe(written);
    expect(editBody("* one\n* two", "- one\n- two")).toBe(written);
  });

  test("changes in the paragraph that was edited, and in no other", () => {
    const form = readFile(product, written);
    const body = "Hello _world_.\n\nNew *paragraph*.\n\n- one\n- two";
    expect(writeFile(product, written, { ...form, body })).toBe(
      written.replace("Hello *world*.\n\n\n", "Hello *world*.\n\nNew *paragraph*.\n\n"),
    );
  });

  describe("that Sveltia has rewritten as it showed it", () => {
    const text = "---\ntitle: A\n---\n\n**bold\nover a line end** here\n\n\nA   *second* one.\n\n```foo``\n";
    const shown = "**bold**\n**over a line end** here\n\nA   _second_ one.\n\n```foo``\n```";
    const save = (body: string) => writeFile(page, text, { ...readFile(page, text), body }, shown);

    test("keeps its bytes, and so does each block that the editor left alone", () => {
      expect(save(shown)).toBe(text);
      expect(save(shown.replace("_second_", "_third_"))).toBe(text.replace("*second*", "_third_"));
      expect(save(`New.\n\n${shown}`)).toBe(text.replace("**bold", "New.\n\n**bold"));
      const [first, ...more] = shown.split("\n\n");
      expect(save([first, "New.", ...more].join("\n\n"))).toBe(text.replace("here\n\n\n", "here\n\nNew.\n\n"));
      expect(save(more.join("\n\n"))).toBe(text.replace("**bold\nover a line end** here\n\n\n", ""));
    });

    test("means in a changed block what the editor saw", () => {
      expect(save(shown.replace("here", "there"))).toBe(
        text.replace("**bold\nover a line end** here", "**bold**\n**over a line end** there"),
      );
    });
  });

  test("that two have changed has both, each new paragraph once, and what contradicts itself is told", () => {
    const [from, format] = ["One.\n\nTwo.\n", { isMdx: false, eol: "\n", prefer: "theirs" as const }];
    const theirs = "One.\n\nNew.\n\nTwo.\n\nThree.\n";
    expect(mergeBodies({ from, theirs, mine: "One!\n\nNew.\n\nMore.\n\nTwo.\n" }, format)).toEqual({
      text: "One!\n\nNew.\n\nMore.\n\nTwo.\n\nThree.\n",
      contradictions: [],
    });
    expect(mergeBodies({ from, theirs: "One.\n", mine: "One.\n\nTwo!\n" }, format)).toEqual({
      text: "One.\n",
      contradictions: [{ theirs: "", mine: "Two!" }],
    });
  });

  test("of MDX is written as it is", () => {
    const mdx = { ...page, body: "mdx" as const };
    const text = '---\ntitle: A\n---\n<Callout kind="tip">\n*a*\n</Callout>\n';
    const form = readFile(mdx, text);
    expect(writeFile(mdx, text, { ...form, body: form.body.replace("*a*", "_a_") })).toBe(text.replace("*a*", "_a_"));
  });
});

test("in lists, what two have changed of different pictures, documents and questions is both there", () => {
  const item = (fields: string[]) => `  - ${fields.join("\n    ")}\n`;
  const file = (alts: string[], language: string, answers: string[]) =>
    `---\ntitle: A\nimages:\n${alts.map((alt, index) => item([`src: ./${index}.png`, `alt: ${alt}`])).join("")}documents:\n${item(["kind: manual", "title: Use", "link: /m", "language: en"])}${item(["kind: manual", "title: Care", "link: /c", `language: ${language}`])}questions:\n${answers.map((answer, index) => item([`question: Q${index}?`, `answer: ${answer}`])).join("")}---\n`;
  const base = file(["One", "Two"], "en", ["Yes.", "No."]);
  const theirs = file(["First", "Two"], "de", ["Yes.", "Never."]);
  const mine = file(["One", "Second"], "en", ["Always.", "No."]).replace("link: /m", "link: /n");
  const { text, clashes } = mergeFiles(product, { base, theirs, mine });
  expect(clashes).toEqual([]);
  expect(text).toBe(file(["First", "Second"], "de", ["Always.", "Never."]).replace("link: /m", "link: /n"));
});

describe("the delivery of store.yaml", () => {
  const store = formatNamed("store");
  const text = `locale: de-DE
currency: EUR
tax:
  home: DE
  rates: { DE: "0.19" }
  classes:
    # Books
    reduced: { DE: "0.07" }
shipping:
  zones:
    - countries: [DE]
      methods:
        - code: parcel
          name: Paket
          by: weight
          tiers:
            - { up_to: 2000, price: "7.00" } # a letter
            - up_to: 10000
              price: "11.00"
            - price: "29.00"
          transit_days: { min: 1, max: 2 }
        - code: value
          name: Wert
          by: value
          tiers: [{ up_to: "50.00", price: "9.00" }]
`;
  type Method = { tiers: { up_to?: string; price?: string }[] };
  const methodsOf = ({ values }: { values: FormGroup }) =>
    (values["shipping"] as unknown as { zones: { methods: Method[] }[] }).zones[0]?.methods ?? [];

  /** The file after an editor has typed a limit into a method's tier. */
  async function typeLimit(method: number, tier: number, typed: string): Promise<string> {
    const form = readFile(store, text);
    const target = methodsOf(form)[method];
    if (target) target.tiers[tier] = { ...target.tiers[tier], up_to: typed };
    return writeFile(store, text, await storeTyped("", store, form, text));
  }

  test("is saved as it was where nothing has changed, with numbers as numbers", () => {
    expect(writeFile(store, text, readFile(store, text))).toBe(text);
    expect(methodsOf(readFile(store, text))[0]?.tiers.map(({ up_to }) => up_to)).toEqual(["2000", "10000", undefined]);
    expect(readFile(store, text).values["tax"]).toMatchObject({
      classes: [{ name: "reduced", value: [{ name: "DE", value: "0.07" }] }],
    });
  });

  test.each([
    [0, 0, "2500", "up_to: 2000", "up_to: 2500"],
    [0, 0, "2.500 g", "up_to: 2000", "up_to: 2500"],
    [0, 0, "2,5 kg", "up_to: 2000", "up_to: 2500"],
    [0, 1, "12 kg", "up_to: 10000", "up_to: 12000"],
    [0, 2, "31.500", '- price: "29.00"', '- up_to: 31500\n              price: "29.00"'],
    [1, 0, "75", 'up_to: "50.00"', 'up_to: "75.00"'],
    [1, 0, "1.089,50 €", 'up_to: "50.00"', 'up_to: "1089.50"'],
  ])(
    "of method %i, tier %i: a limit typed as %s is written as what it means",
    async (method, tier, typed, before, after) => {
      expect(await typeLimit(method, tier, typed)).toBe(text.replace(before, after));
    },
  );

  test.each([
    [0, "2.000 kg", "isn't a weight"],
    [0, "a lot", "isn't a weight"],
    [1, "1.089", "may be 1.089,00\u00a0€ or 1,09\u00a0€"],
  ])("a limit of method %i that may mean two things, %s, is refused", async (method, typed, why) => {
    await expect(typeLimit(method, 0, typed)).rejects.toThrow(why);
  });
});

test("in the shop's settings, what two have changed of different zones is both there", () => {
  const store = (prices: [string, string]) =>
    `shipping:\n  zones:\n    - countries: [DE, FR]\n      price: "${prices[0]}"\n    - countries: [AT]\n      price: "${prices[1]}"\n`;
  const texts = { base: store(["5.00", "9.00"]), theirs: store(["6.00", "9.00"]), mine: store(["5.00", "8.00"]) };
  expect(mergeFiles(formatNamed("store"), texts)).toEqual({ text: store(["6.00", "8.00"]), clashes: [] });
  const { clashes } = mergeFiles(formatNamed("store"), { ...texts, mine: store(["7.00", "9.00"]) });
  expect(clashes).toEqual([{ place: ["shipping", "zones", "DE, FR", "price"], theirs: "6.00", mine: "7.00" }]);
});

test("a new file has its fields in the schema's order, with quotes where content/README.md asks for them", () => {
  const values: FormGroup = {
    brand: "Acme",
    title: "Reader",
    price: "79.00",
    updated: "2026-11-20",
    specifications: [{ name: "Reads", value: "1D\n2D" }],
    draft: false,
  };
  expect(writeFile(product, undefined, { values, body: "Text." })).toBe(
    '---\ntitle: Reader\nbrand: Acme\nprice: "79.00"\nspecifications:\n  Reads: ["1D", "2D"]\nupdated: 2026-11-20\n---\nText.\n',
  );
});

test("a text is written below fields that end without a line end", () => {
  const text = writeFile(page, "---\ntitle: A\n---", { values: { title: "A" }, body: "Text." });
  expect(text).toBe("---\ntitle: A\n---\nText.\n");
});

test("a file without fields, or with broken ones, isn't written", () => {
  expect(() => readFile(product, "Only text.")).toThrow(Unreadable);
  expect(() => readFile(product, "---\ntitle: [\n---\n")).toThrow(Unreadable);
});

test("any change of a form is in the file, and is read back as it was", () => {
  const text = fc
    .oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(
        "a: b",
        "# x",
        "- y",
        "[z]",
        "true",
        "1.10",
        "null",
        "{",
        "*a",
        "&b",
        "'",
        '"',
        "x, y",
        "é\u2028",
      ),
    )
    .map((each) => each.replaceAll(/[\r\n\0]/g, " "));
  const row = fc.record({ name: text, value: text });
  const group = fc.record(
    {
      title: text,
      brand: text,
      also_called: fc.array(text).map((each) => each.join("\n")),
      images: fc.array(fc.record({ src: text, alt: text })),
      gtin: text,
      draft: fc.boolean(),
      specifications: fc.uniqueArray(row, { selector: ({ name }) => name.trim() }),
      works_with: fc.uniqueArray(fc.record({ name: text, reason: text, one_way: fc.boolean(), versions: text }), {
        selector: ({ name }) => name.trim(),
      }),
      questions: fc.array(fc.record({ question: text, answer: fc.array(text).map((each) => each.join("\n")) })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(group, fc.constantFrom(...Object.values(variations)), (edited, vary) => {
      const base = vary(written);
      const form = readFile(product, base);
      const values: FormGroup = { ...form.values, ...(edited as FormGroup) };
      const now = readFile(product, writeFile(product, base, { ...form, values }));
      expect(saysTheSame({ kind: "group", fields: product.fields, short: undefined }, now.values, values)).toBe(true);
      expect(now.body).toBe(form.body);
    }),
    { numRuns: 150, seed: seedFor("site/admin") },
  );
});

function set(group: FormGroup, name: string, value: Form): void {
  group[name] = value;
}

const row = (values: FormGroup, name: string, index: number) => (values[name] as FormGroup[])[index] as FormGroup;

test("one changed price is one line of a diff", () => {
  const [line] = changedLines(
    written,
    change(written, (values) => set(values, "price", "1.00")),
  );
  expect(line).toBe('price: "1.00"      # since May');
});
