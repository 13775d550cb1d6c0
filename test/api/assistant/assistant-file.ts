import type { AssistantFile, Passage, ProductFacts } from "../../../api/contract/built-files/assistant.ts";

const facts = (given: Partial<ProductFacts> = {}): ProductFacts => ({
  ...{ works_with: [], does_not_work_with: [], documents: [] },
  ...given,
});

const passage = (path: string, page: string, title: string, text: string): Passage => ({ path, page, title, text });

/** What the build of the small shop of searchFile() writes for the assistant. */
export const assistantFile = (given: Partial<AssistantFile> = {}): AssistantFile => ({
  products: {
    "kestrel-c2": facts({
      works_with: [{ slug: "finch-80", skus: ["FINCH-80"], reason: "both on one USB hub", together_with: "cable" }],
      does_not_work_with: [{ slug: "wren-58", reason: "the Wren has no USB port" }],
      documents: [
        { kind: "manual", title: "Quick start", language: "en", url: "https://shop.example/documents/c2/start.pdf" },
      ],
    }),
    "finch-80": facts({
      works_with: [{ slug: "kestrel-c2", skus: ["KES-C2-BK"], reason: "both on one USB hub", together_with: "cable" }],
    }),
  },
  categories: [
    {
      slug: "barcode-scanners",
      products: ["merlin", "kestrel-c2"],
      facets: [
        {
          name: "Reads",
          values: [
            { value: "1D", skus: ["KES-C2-BK", "KES-C2-WH", "MERLIN"] },
            { value: "2D", skus: ["KES-C2-BK", "KES-C2-WH"] },
          ],
        },
        {
          name: "Colour",
          values: [
            { value: "Black", skus: ["KES-C2-BK"] },
            { value: "White", skus: ["KES-C2-WH"] },
          ],
        },
      ],
    },
    { slug: "receipt-printers", products: ["wren-58", "finch-80"], facets: [] },
    { slug: "accessories", products: ["roll-80", "cable"], facets: [] },
  ],
  passages: [
    passage("/returns", "Returns", "Returns", "Send it back within 30 days."),
    passage("/returns#how-to-return", "Returns", "How to return something", "1. Write to us.\n2. Pack it well."),
    passage("/returns#exceptions", "Returns", "Exceptions", "Paper rolls that have been opened."),
    passage("/guides/choosing#codes", "Choosing a scanner", "Which codes", "A 2D scanner reads phone screens."),
  ],
  ...given,
});
