import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { MAX_QUANTITY } from "../../contract/order-quantity.ts";
import { sellsOnline } from "../../contract/ways-to-pay.ts";
import { type Item, MAX_LINES } from "../../people/basket/items.ts";
import { faultOf } from "../../people/basket/priced-items.ts";
import type { Fault } from "../../people/product/views.ts";
import { ApiError } from "../../platform/http/problem.ts";
import type { FieldError } from "../../platform/http/problem-schema.ts";
import { boundsOf, findVariants, forPieces, type PieceRule, type Variant } from "../../selling/catalogue/variants.ts";
import { adviseOnUnknown, type Catalogue, readCatalogue } from "../answers/catalogue.ts";
import type { ToolContext } from "../answers/tool.ts";

const strict = { additionalProperties: false };

/** Versions and how many pieces of each. */
export const Items = Type.Array(
  Type.Object(
    {
      sku: Type.String({ maxLength: 64, description: "The SKU of a version, as find_products gives it." }),
      quantity: Type.Integer({ minimum: 1, maximum: MAX_QUANTITY, description: `Pieces: 1 to ${MAX_QUANTITY}.` }),
    },
    strict,
  ),
  { minItems: 1, maxItems: MAX_LINES, description: `1 to ${MAX_LINES} versions.` },
);

/** Finds what can be ordered; a version that is named twice counts together. Throws ApiError with every item that can't be. */
export async function readItems(
  context: ToolContext,
  shop: ShopFacts,
  given: Static<typeof Items>,
): Promise<(Item & { variant: Variant })[]> {
  if (!sellsOnline(shop))
    throw new ApiError("unprocessable", "This shop takes no orders online at the moment. Offer hand_over instead.");
  const variants = await findVariants(
    context.db,
    given.map(({ sku }) => sku),
  );
  const catalogue = await readCatalogue(context);
  const errors: FieldError[] = [];
  const items = new Map<string, Item & { variant: Variant }>();
  for (const [place, { sku, quantity }] of given.entries()) {
    const variant = variants.get(sku);
    const fault = faultOf(sku, variant);
    const total = (items.get(sku)?.quantity ?? 0) + quantity;
    const field = `arguments.items.${place}`;
    if (fault) errors.push({ in: "body", field: `${field}.sku`, detail: refuse(fault, catalogue, sku) });
    else if (total > MAX_QUANTITY) errors.push({ in: "body", field: `${field}.quantity`, detail: TOO_MANY });
    else if (variant) {
      const asOrdered = forPieces(variant, total);
      const { left, most, pieces } = boundsOf(shop, asOrdered, total);
      const isLast = given.findLastIndex((each) => each.sku === sku) === place;
      const isAllThatIsLeft = asOrdered.availability === "in_stock" && most === left;
      if (most !== null)
        errors.push({ in: "body", field: `${field}.quantity`, detail: refuseMore(most, isAllThatIsLeft) });
      else if (pieces?.nearest && isLast)
        errors.push({ in: "body", field: `${field}.quantity`, detail: refusePieces(pieces, pieces.nearest) });
      else items.set(sku, { sku, quantity: total, variant: asOrdered });
    }
  }
  if (errors.length > 0)
    throw new ApiError("unprocessable", "Some items can't be ordered. Change them as `errors` says, and call again.", {
      errors,
    });
  return [...items.values()];
}

const TOO_MANY = `At most ${MAX_QUANTITY} pieces of a version can be ordered online. Offer hand_over for more.`;

/** How many can be ordered. */
const refuseMore = (most: number, isAllThatIsLeft: boolean): string =>
  isAllThatIsLeft
    ? `Only ${most} of it ${most === 1 ? "is" : "are"} left. Ask for at most ${most}, or leave it out.`
    : `An order has at most ${most} of it. Ask for at most ${most}, or offer hand_over for more.`;

/** In which numbers it can be ordered. */
function refusePieces({ least, step }: PieceRule, nearest: readonly number[]): string {
  const more = step > 1 ? `, and more in steps of ${step}` : "";
  return `At least ${least} of it can be ordered${more}. Ask for ${nearest.join(" or ")}, or leave it out.`;
}

/** What to do about a version that can't be ordered. */
function refuse({ reason }: Fault, catalogue: Catalogue, sku: string): string {
  if (reason === "out_of_stock")
    return "This version is out of stock. Leave it out, or find another with find_products.";
  if (reason === "archived")
    return "This version isn't sold any more. Leave it out, or find another with find_products.";
  return `No version has this SKU. ${adviseOnUnknown(catalogue, sku)}`;
}
