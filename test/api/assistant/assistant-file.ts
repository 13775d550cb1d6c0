import type { AssistantFile, Passage } from "../../../api/contract/built-files/assistant.ts";

const passage = (path: string, page: string, title: string, text: string): Passage => ({ path, page, title, text });

/** What the build of the small shop of searchFile() writes for the assistant. */
export const assistantFile = (given: Partial<AssistantFile> = {}): AssistantFile => ({
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
