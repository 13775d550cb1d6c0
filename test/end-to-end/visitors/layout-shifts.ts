import type { Page } from "playwright-core";

/** A busy or slow browser may stop within a line and then move a word: a few thousandths of the score. */
const WORD = 0.005;

/** What has moved on a page since it was first shown: the browser's layout shift score (CLS) and the element. */
export const layoutShifts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `new Promise((done) => {
      const moved = [];
      new PerformanceObserver((list) => {
        for (const { value, sources } of list.getEntries())
          for (const { node } of sources)
            if (value >= ${WORD}) moved.push(value + " " + (node?.outerHTML ?? node?.textContent)?.slice(0, 80));
      }).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(moved), 300);
    })`,
  );
