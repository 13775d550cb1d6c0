import Type, { type Static } from "typebox";
import { Availability, strict } from "../schemas.ts";
import { ProductFacts } from "./assistant.ts";

const TextOrNull = Type.Union([Type.String(), Type.Null()]);
const Texts = Type.Array(Type.String());
const Specifications = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, strict));

const Version = Type.Object(
  {
    sku: Type.String(),
    /** Its product's page, where it is on it. */
    path: Type.String(),
    gtin: TextOrNull,
    barcode: TextOrNull,
    /** Null where the product has one version. */
    title: TextOrNull,
    picture: TextOrNull,
    specifications: Specifications,
    /** Of one piece at home; `gross` is null where no tax is charged. */
    price: Type.Object({ net: Type.String(), gross: TextOrNull }, strict),
    availability: Availability,
    /** YYYY-MM-DD. */
    available_from: TextOrNull,
  },
  strict,
);

export const Product = Type.Object(
  {
    slug: Type.String(),
    path: Type.String(),
    title: Type.String(),
    brand: Type.String(),
    /** A slug. */
    category: Type.String(),
    /** The slugs of the other categories that list it. */
    listed_in: Texts,
    summary: Type.String(),
    also_called: Texts,
    specifications: Specifications,
    /** The number of products that it works with. */
    works_with: Type.Integer(),
    /** A paragraph, heading or table row a line. */
    text: Type.String(),
    versions: Type.Array(Version, { minItems: 1 }),
    facts: ProductFacts,
  },
  strict,
);

const Category = Type.Object(
  {
    slug: Type.String(),
    path: Type.String(),
    title: Type.String(),
    summary: Type.String(),
    also_called: Texts,
    /** Makers that the shop doesn't sell. */
    instead_of: Texts,
    /** The specifications in which its products differ, those that are asked for first at the beginning. */
    told_apart_by: Texts,
    /** Whether the shop's header has it: not those below another one, nor those without products. */
    is_in_header: Type.Boolean(),
  },
  strict,
);

export const Page = Type.Object(
  {
    /** Pages for programmers have words of customers' questions too, so they come after all others. */
    kind: Type.Enum(["guide", "page", "developers"]),
    path: Type.String(),
    title: Type.String(),
    summary: Type.String(),
    text: Type.String(),
  },
  strict,
);

const Language = Type.Object(
  {
    /** Word endings that make no difference, as a regular expression. */
    endings: Type.String(),
    /** A word before one of these is what the text is about: `cable for printers`. */
    prepositions: Texts,
    ignored: Texts,
    /** A specification's value that says it doesn't apply, as a regular expression. */
    none: Type.String(),
    /** Words that mean the same, and those of which they are true as well: what has Bluetooth is cordless. */
    wider: Type.Array(Type.Object({ words: Texts, narrower: Texts }, strict)),
    /** Of questions: words that say nothing of what they are about, what means the same, and what asks for an order. */
    questions: Type.Object({ ignored: Texts, synonyms: Type.Array(Texts), own_order: Type.String() }, strict),
    /** What stands before an amount, or between two, and what asks for what is in stock: regular expressions. */
    wishes: Type.Object(
      {
        most: Type.String(),
        least: Type.String(),
        between: Type.String(),
        and: Type.String(),
        in_stock: Type.String(),
      },
      strict,
    ),
  },
  strict,
);

/** What .session/search.index says of the shop besides what can be found. */
export const SearchFacts = Type.Object(
  {
    base_url: Type.String(),
    sells_online: Type.Boolean(),
    sales_email: Type.String(),
    /** What the tax in `gross` is called: `VAT`. */
    tax_name: Type.String(),
    /** How people write the shop's currency: `€`, `EUR`, `euros`. */
    currency: Type.Array(Type.String(), { minItems: 1 }),
    language: Language,
    /** Lists of words that mean the same. */
    synonyms: Type.Array(Texts),
    /** In the order of the shop's navigation. */
    categories: Type.Array(Category),
  },
  strict,
);

/** What .session/search.index (../search/) is made of: all that the search knows. */
export interface SearchFile extends SearchFacts {
  products: Product[];
  pages: Page[];
}

export type SearchFacts = Static<typeof SearchFacts>;
export type Product = Static<typeof Product>;
export type Version = Static<typeof Version>;
export type Category = Static<typeof Category>;
export type Page = Static<typeof Page>;
export type Language = Static<typeof Language>;
