import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Page } from "playwright-core";

const origin = "https://test.example";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Opens a page of a built shop that no server serves; `isBroken` decides which requests fail. */
export async function openBuilt(
  page: Page,
  dist: string,
  address: string,
  isBroken = (_path: string) => false,
): Promise<void> {
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (isBroken(pathname)) return route.fulfill({ status: 503 });
    const file = pathname === "/" ? "/index.html" : extname(pathname) === "" ? `${pathname}.html` : pathname;
    return route.fulfill({ body: readFileSync(join(dist, file)), contentType: types[extname(file)] ?? "text/html" });
  });
  await page.goto(origin + address);
}
