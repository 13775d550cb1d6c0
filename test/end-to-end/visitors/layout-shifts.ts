import type { Page } from "playwright-core";
import { withPage } from "./with-page.ts";

/** What has moved on a page since it was first shown, from a layout shift score (CLS) of `from`: score and element. */
export const layoutShifts = (page: Page, from = 0): Promise<string[]> =>
  page.evaluate<string[]>(
    `new Promise((done) => {
      const moved = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          for (const { node } of sources)
            if (value >= ${from}) moved.push(value + " " + (node?.outerHTML ?? node?.textContent)?.slice(0, 80));
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(moved), 300);
    })`,
  );

/**
 * What moves on a page for each of three new visitors, or nothing. A busy browser may paint within a list, and then moves
 * its words, for one of them; what the page itself moves, however little, it moves for all.
 */
export async function lastingShifts(
  viewport: { width: number; height: number },
  open: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  let moved: string[] = [];
  for (let visitor = 0; visitor === 0 || (visitor < 3 && moved.length > 0); visitor += 1) {
    const look = async (page: Page) => {
      await open(page);
      return layoutShifts(page);
    };
    moved = await withPage({ viewport }, look, visitor === 0);
  }
  return moved;
}
