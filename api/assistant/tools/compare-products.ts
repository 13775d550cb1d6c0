import Type from "typebox";
import { ApiError } from "../../platform/http/problem.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import {
  adviseOnUnknown,
  type Catalogue,
  describeVariant,
  nameSold,
  offerNow,
  readCatalogue,
  type Sold,
} from "../answers/catalogue.ts";
import { differingNames, specificationsOf } from "../answers/specifications.ts";
import { defineTool } from "../answers/tool.ts";

const FEWEST = 2;
const MOST = 4;

/** Says in what versions differ. */
export const compareProducts = defineTool({
  name: "compare_products",
  description: `Compares ${FEWEST} to ${MOST} versions by SKU, of one product or several: the specifications in which they differ, with a value for each in the order given, null where the shop doesn't state it. Prices and availability are in \`products\`.`,
  arguments: Type.Object(
    {
      skus: Type.Array(Type.String({ maxLength: 64 }), {
        minItems: FEWEST,
        maxItems: MOST,
        description: `${FEWEST} to ${MOST} different SKUs.`,
      }),
    },
    { additionalProperties: false },
  ),
  example: { skus: ["TAV-T40-BK", "TAV-PIP-2D"] },
  writes: false,
  async call({ speech, ...context }, { skus }) {
    const [shop, catalogue] = [await readShopFacts(context.db), await readCatalogue(context)];
    const compared = await offerNow(context.db, readVariants(catalogue, skus));
    const specifications = compared.map(
      (sold) => new Map(specificationsOf(sold).map(({ name, value }) => [name, value])),
    );
    const names = new Set(specifications.flatMap((each) => [...each.keys()]));
    const differing = [...differingNames(compared)];
    const differences = differing.map((name) => ({
      name,
      values: specifications.map((each) => each.get(name) ?? null),
    }));
    const spoken = {
      names: speech.list(compared.map(nameSold)),
      count: differences.length,
      points: speech.list(differing),
    };
    return {
      result: {
        products: compared.map((sold) => describeVariant(shop, sold)),
        differences,
        alike: names.size - differences.length,
      },
      say: speech.say(differences.length > 0 ? "assistant.comparison.differ" : "assistant.comparison.alike", spoken),
    };
  },
});

/** Throws ApiError with every SKU that can't be compared. */
function readVariants(catalogue: Catalogue, skus: readonly string[]): Sold[] {
  const errors = skus.flatMap((sku, place) => {
    const isRepeated = skus.indexOf(sku) < place;
    const detail = isRepeated
      ? "This SKU is there twice. Write another one, or leave it out."
      : `No version has this SKU. ${adviseOnUnknown(catalogue, sku)}`;
    const field = `arguments.skus.${place}`;
    return isRepeated || !catalogue.search.findSku(sku) ? [{ in: "body" as const, field, detail }] : [];
  });
  if (errors.length > 0)
    throw new ApiError("unprocessable", "Some SKUs can't be compared. Change them as `errors` says.", { errors });
  return skus.flatMap((sku) => catalogue.search.findSku(sku) ?? []);
}
