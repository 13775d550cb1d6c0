import { type Browser, chromium, type Page } from "playwright-core";

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
export const browserOptions = {
  executablePath: "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** One for all files of a process; Playwright ends it with the process. */
let browser: Promise<Browser> | undefined;

/** Runs `use` with a page in its own browser context, and closes both. */
export async function withPage<T>(
  options: Parameters<Browser["newContext"]>[0],
  use: (page: Page) => Promise<T>,
): Promise<T> {
  browser ??= chromium.launch(browserOptions);
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(90_000); // a page may take its time on a machine that has other work
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}
