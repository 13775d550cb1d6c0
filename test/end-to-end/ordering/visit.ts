import type { Page, Response } from "playwright-core";
import { expect } from "vitest";
import { findBarriers } from "../../accessibility.ts";
import { findHtmlFaults } from "../../html-faults.ts";
import { receive } from "../../page-weight.ts";
import { weightBudget } from "../../weight-budget.ts";
import { withPage } from "../visitors/with-page.ts";
import { at } from "./ordering-shop.ts";

/** Looks at the page as it is now. */
type Look = (state: string) => Promise<void>;

/**
 * Leads a customer through pages and looks at them: valid HTML, axe's rules for WCAG 2.2 AA, those on colours in both schemes,
 * no sideways scrolling at 320 px nor with text of twice the size, and within the first 14 KB.
 */
export async function visit(use: (page: Page, look: Look) => Promise<void>): Promise<void> {
  await withPage({ reducedMotion: "reduce" }, async (page) => {
    let answer: Response | undefined;
    page.on("response", (response) => {
      const isPage = response.request().isNavigationRequest() && response.frame() === page.mainFrame();
      if (isPage && response.status() !== 303) answer = response;
    });
    await use(page, async (state) => {
      // A click returns when its page begins.
      await page.waitForLoadState();
      if (!answer) throw new Error(`There is no page for ${state}.`);
      const found = { ...(await examine(page)), ...(await weigh(answer)) };
      const html = (await findHtmlFaults(await answer.text(), state)).map(({ message }) => message);
      expect({ state, html, ...found }).toEqual({ state, html: [], violations: [], tooWide: [], tooHeavy: undefined });
    });
  });
}

const WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** What breaks axe's rules on a page, in both schemes, and where it is wider than the screen. */
export async function examine(page: Page) {
  const violations: string[] = [];
  const tooWide: string[] = [];
  for (const [width, colorScheme, rules] of [
    [1280, "light", "all"],
    [1280, "dark", "colours"],
    [320, "light", "narrow"],
  ] as const) {
    await page.setViewportSize({ width, height: 640 });
    await page.emulateMedia({ colorScheme });
    violations.push(...(await findBarriers(page, rules)).map((each) => `${width} ${colorScheme}: ${each}`));
    if (await page.evaluate(WIDER)) tooWide.push(`${width} px`);
  }
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
  if (await page.evaluate(WIDER)) tooWide.push("text of twice the size");
  await page.evaluate(`document.documentElement.style.fontSize = ""`);
  return { violations, tooWide };
}

async function weigh(answer: Response) {
  const { responseBodySize, responseHeadersSize } = await answer.request().sizes();
  // No screen waits for the sheet for paper.
  const styles = [
    ...(await answer.text()).matchAll(/<link\b(?![^>]*media="print")[^>]*rel="stylesheet"[^>]*href="([^"]*)"/g),
  ];
  expect(styles).toHaveLength(2);
  const sheets = await Promise.all(styles.map(([, path = ""]) => receive(at(path))));
  const bytes = sheets.reduce((sum, sheet) => sum + sheet.bytes, responseBodySize + responseHeadersSize);
  return { tooHeavy: bytes > weightBudget.firstFlightBytes ? bytes : undefined };
}
