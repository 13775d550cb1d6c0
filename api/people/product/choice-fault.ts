import { nameOf } from "../../selling/quote/quote.ts";
import type { Choice } from "./choose-version.ts";
import { type Fault, fault } from "./views.ts";

/** Why what was chosen can't be had: a value is missing, there is no such version, or it's sold out or gone. */
export function choiceFault({ name, options, variant, nearest }: Choice): Fault {
  const missing = options.filter(({ value }) => value === undefined);
  if (missing.length > 0) return { ...fault("choose", name), missing: missing.map((option) => option.name).join(", ") };
  const near = nearest ? { name: nearest.title, path: nearest.path } : null;
  if (variant) {
    const reason = variant.availability === "archived" ? "archived" : "out_of_stock";
    return { ...fault(reason, nameOf(variant.sku, variant)), nearest: near };
  }
  const values = options.map(({ value }) => value).join(" / ");
  return { ...fault("not_made", values ? `${name}, ${values}` : name), nearest: near };
}
