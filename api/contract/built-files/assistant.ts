import Type, { type Static } from "typebox";
import { DOCUMENT_KINDS } from "../document-kinds.ts";
import { strict } from "../schemas.ts";

const Slug = Type.String();
const Texts = Type.Array(Type.String());

/** A product that another works with. */
const Fit = Type.Object(
  {
    slug: Slug,
    /** The versions of it that fit. */
    skus: Texts,
    reason: Type.String(),
    /** The slug of a third product without which the two don't fit. */
    together_with: Type.Union([Slug, Type.Null()]),
  },
  strict,
);

/** What the assistant says of a product, and the search doesn't; the search's index has it. */
export const ProductFacts = Type.Object(
  {
    works_with: Type.Array(Fit),
    does_not_work_with: Type.Array(Type.Object({ slug: Slug, reason: Type.String() }, strict)),
    documents: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...DOCUMENT_KINDS]),
          title: Type.String(),
          /** A BCP 47 tag. */
          language: Type.String(),
          url: Type.String(),
        },
        strict,
      ),
    ),
  },
  strict,
);

const CategoryFacts = Type.Object(
  {
    slug: Slug,
    /** Slugs, in the order of the category's page. */
    products: Texts,
    /** The filters of its page by specification, with the versions that each value leaves. */
    facets: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          values: Type.Array(Type.Object({ value: Type.String(), skus: Texts }, strict)),
        },
        strict,
      ),
    ),
  },
  strict,
);

/** A part of a guide or page that can be quoted. */
const Passage = Type.Object(
  {
    /** The page's title. */
    page: Type.String(),
    /** The heading above it. */
    title: Type.String(),
    /** The page, where the passage is on it: `/returns#exceptions`. */
    path: Type.String(),
    /** Markdown. */
    text: Type.String(),
  },
  strict,
);

/** .session/assistant.json: what the assistant's tools know besides what the search's index has. */
export const AssistantFile = Type.Object(
  {
    /** In the order of the shop's navigation. */
    categories: Type.Array(CategoryFacts),
    passages: Type.Array(Passage),
  },
  strict,
);

export type AssistantFile = Static<typeof AssistantFile>;
export type ProductFacts = Static<typeof ProductFacts>;
export type CategoryFacts = Static<typeof CategoryFacts>;
export type Passage = Static<typeof Passage>;
