import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll } from "vitest";
import { CHROMIUM } from "../../../nginx/local/system-packages.ts";
import { note } from "../../costs/note.ts";

/** One page of every kind. */
export const KINDS = [
  "/",
  "/categories/barcode-scanners",
  "/categories/barcode-scanners/compare",
  "/search",
  "/products/tavrel-t40-cordless",
  "/products/marlstead-cafe-10",
  "/guides",
  "/guides/fitting-out-a-counter",
  "/guides/choosing-a-barcode-scanner",
  "/contact",
  "/developers",
  "/nowhere",
];

/** Debian's Chromium, without what it does besides. */
const browserOptions = {
  executablePath: `/usr/bin/${CHROMIUM}`,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // The shell doesn't know its connection, and would load lazy pictures as early as on the slowest.
    "--blink-settings=lazyLoadingImageMarginPxUnknown=1250",
  ],
};

/** One for all files of a process; Playwright ends it with the process. */
let browser: Promise<Browser> | undefined;

/** The running one, or another if it didn't start or has crashed, so that one file's trouble isn't the next one's. */
async function openBrowser(): Promise<Browser> {
  const last = browser;
  const running = await last?.catch(() => undefined);
  if (running?.isConnected()) return running;
  // Of several calls at a time the first launches it.
  browser = browser && browser !== last ? browser : chromium.launch(browserOptions);
  return browser;
}

type Options = Parameters<Browser["newContext"]>[0];

async function openPage(options: Options, isCounted = true): Promise<Page> {
  if (isCounted) note("pages");
  const context = await (await openBrowser()).newContext(options);
  context.setDefaultTimeout(240_000); // a page may take its time on a machine that has other work
  return context.newPage();
}

/**
 * Runs `use` with a page in its own browser context, and closes both. A page that only a busy machine makes a test open
 * isn't counted, since the budget of test/costs must hold on such a machine too.
 */
export async function withPage<T>(options: Options, use: (page: Page) => Promise<T>, isCounted = true): Promise<T> {
  const page = await openPage(options, isCounted);
  try {
    return await use(page);
  } finally {
    await page.context().close();
  }
}

/**
 * The same with one page for all tests of the file that calls this: for tests that open an address and only look. A
 * new page takes three times as long.
 */
export function shareOnePage(options: Options): <T>(use: (page: Page) => Promise<T>) => Promise<T> {
  let opened: Promise<Page> | undefined;
  afterAll(async () => (await opened)?.context().close());
  return async (use) => {
    opened ??= openPage(options);
    return use(await opened);
  };
}
