import { isScalar } from "yaml";
import type { CheckedPage } from "./duplicates.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** Days of change that have not come yet. Doubts only: a computer whose clock is behind must still build the shop. */
export function findFutureDays(pages: readonly CheckedPage[]): Problem[] {
  // Today where the day begins first, UTC+14: an editor there is not ahead of time.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  return pages.flatMap(({ page, yaml }) => {
    if (yaml === undefined) return [];
    const { node, line } = locate(yaml, ["updated"]);
    const day = isScalar(node) ? String(node.value) : "";
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day <= today) return [];
    return {
      file: page.file,
      line,
      message: `updated ${day} is still to come. A typing slip?`,
      isDoubt: true as const,
    };
  });
}
