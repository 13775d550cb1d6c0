import axe from "axe-core";
import type { Page } from "playwright-core";

const RULES = {
  /** What WCAG 2.2 AA asks for, and good practice. */
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  /** Those that read colours, for a page that has passed all of them in its other colour scheme. */
  colours: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  /** Those that can break on narrow screens alone: links too small to touch, boxes that scroll and can't be reached by the keyboard. */
  narrow: { type: "rule", values: ["target-size", "scrollable-region-focusable"] },
} as const;

/**
 * What breaks axe's rules on a page, each as "rule: the elements' HTML".
 *
 * @param page opened with `reducedMotion` if its colour scheme changes, because colours must not be on their way from one to the
 *   other when axe looks
 */
export async function findBarriers(page: Page, rules: keyof typeof RULES = "all"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // Without `resultTypes` axe describes every element that passes, too.
  const options = JSON.stringify({ runOnly: RULES[rules], resultTypes: ["violations"] });
  return page.evaluate(`axe.run(${options})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`);
}
