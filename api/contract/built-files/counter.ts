import Type, { type Static } from "typebox";
import { strict } from "../schemas.ts";

const Slug = Type.String();
const Skus = Type.Array(Type.String());

const category = {
  slug: Slug,
  title: Type.String(),
  products: Type.Array(Type.Object({ summary: Type.String(), skus: Skus }, strict)),
};

/** What holds between any version of one list and any of the other. */
const Relation = Type.Object({ between: Type.Tuple([Skus, Skus]), reason: Type.String() }, strict);

/** .session/counter.json: what the API knows of “Build your counter”; the file is null for a shop without one. */
export const BuiltCounter = Type.Object(
  {
    steps: Type.Array(Type.Object({ ...category, fits: Type.Array(Slug) }, strict), { minItems: 1 }),
    extras: Type.Array(Type.Object(category, strict)),
    /** What goes together. */
    relations: Type.Array(Relation),
    /** What doesn't, although visitors may expect it to. */
    cautions: Type.Array(Relation),
  },
  strict,
);
export type BuiltCounter = Static<typeof BuiltCounter>;
