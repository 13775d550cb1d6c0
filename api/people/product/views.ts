import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";

/** As PieceRule has it (selling/catalogue/variants.ts). */
export const PieceRuleView = nullable(
  Type.Object({
    least: Type.Integer(),
    step: Type.Integer(),
    rule: Type.Enum(["from", "packs", "packs_from", "steps"]),
    nearest: nullable(Type.Array(Type.Integer())),
  }),
);

/** Why something can't be put into a basket, or a version can't be shown. */
export const Fault = Type.Object({
  reason: Type.Enum([
    "quantity",
    "pieces",
    "full",
    "out_of_stock",
    "archived",
    "unknown",
    "choose",
    "not_made",
    "not_found",
  ]),
  /** What it is about: a product and its version, or a SKU; empty for a reason that needs none. */
  name: Type.String(),
  /** The id of the field. */
  field: nullable(Type.String()),
  /** The options that are still to be chosen; empty for another reason. */
  missing: Type.String(),
  /** The version that comes nearest to what was chosen and can be had. */
  nearest: nullable(Type.Object({ name: Type.String(), path: Type.String() })),
  /** In which numbers it is sold, where that is the reason; and the pieces of it that the basket has, and with those to be added. */
  pieces: PieceRuleView,
  had: Type.Integer(),
  together: Type.Integer(),
});
export type Fault = Static<typeof Fault>;

/** A fault of a reason that needs no more. */
export const fault = (reason: Fault["reason"], name = "", field: string | null = null): Fault => ({
  ...{ reason, name, field },
  missing: "",
  nearest: null,
  ...{ pieces: null, had: 0, together: 0 },
});

/** What stands above a product's form where its address names a version that can't be shown: a piece of its page. */
export const versionFault = { template: "version-fault.html", view: Type.Object({ fault: Fault }) };
