import { isSeq } from "yaml";
import { daysLeft } from "../content-schema/security.ts";
import type { CheckedPage } from "./duplicates.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/**
 * Products that are expected on a day that has passed, and pre-orders that name none. Doubts only: a build leaves the day out
 * by itself, and a shop must be built on the day after, whoever looks at it then.
 */
export function findExpectedDays(pages: readonly CheckedPage[]): Problem[] {
  return pages.flatMap(({ page, yaml }) => {
    if (page.kind !== "product" || yaml === undefined) return [];
    const { node } = locate(yaml, ["variants"]);
    const variants = isSeq(node) ? node.items.map((_, index) => ["variants", index]) : [[]];
    return variants.flatMap((path) => {
      const message = dayProblem(
        yaml.document.getIn([...path, "availability"]),
        yaml.document.getIn([...path, "available_from"]),
      );
      if (message === undefined) return [];
      const { line } = locate(yaml, [
        ...path,
        message.startsWith("available_from") ? "available_from" : "availability",
      ]);
      return { file: page.file, line, message, isDoubt: true as const };
    });
  });
}

function dayProblem(availability: unknown, day: unknown): string | undefined {
  if (availability !== "preorder" && availability !== "backorder") return undefined;
  if (typeof day === "string" && daysLeft(day, new Date()) < 0)
    return `available_from ${day} has passed, so the shop no longer shows it. Write the day on which it is expected now; if it has arrived, write \`availability: in_stock\` and take this line out.`;
  return availability === "preorder" && day === undefined
    ? "availability is preorder, without a day: Google lists no pre-order that has none. Write below it `available_from:` and the day on which it is expected."
    : undefined;
}
