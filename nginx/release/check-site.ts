import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stopChild } from "../local/child-process.ts";
import { askNginx, describePage, type OwnNginx } from "../local/own-nginx.ts";
import { findFreePort } from "../local/ports.ts";
import { startNginx } from "../local/services.ts";
import { StartError } from "../programs.ts";

/** nginx serves files of the site before for up to a second (open_file_cache), and a busy disk takes longer than that. */
const NEW_FILES_WITHIN_MS = 30_000;

/**
 * Checks that nginx answers with the very bytes of a site: its home page and a product's page in both faces, their style
 * sheet, the catalogue and the list for agents. Throws StartError naming what differs.
 */
export async function checkSite(nginx: OwnNginx, site: string): Promise<void> {
  const deadline = performance.now() + NEW_FILES_WITHIN_MS;
  for (const [path, accept, file] of filesToCheck(site)) {
    const expected = readFileSync(join(site, file), "utf8");
    for (;;) {
      const actual = await ask(nginx, path, accept);
      if (actual.status === 200 && actual.body === expected) break;
      if (performance.now() > deadline) {
        const what = actual.status === 200 ? "with another build's" : `${actual.status || "nothing"} instead of its`;
        throw new StartError(`${describePage(nginx, path)} answers ${what} ${file}.`);
      }
      await sleep(100);
    }
  }
}

function filesToCheck(site: string): [path: string, accept: string, file: string][] {
  const page = (path: string, file: string): [string, string, string][] => [
    [path, "text/html", `${file}.html`],
    [path, "text/markdown", `${file}.md`],
  ];
  const product = /<loc>[^<]*?(\/products\/[^<]+)<\/loc>/.exec(read(site, "sitemap.xml"))?.[1];
  const sheets = read(site, "index.html").matchAll(/<link[^>]* href="(\/_astro\/[^"]+\.css)"/g);
  return [
    ...page("/", "index"),
    ...(product ? page(product, product) : []),
    ...Array.from(sheets, ([, sheet = ""]): [string, string, string] => [sheet, "text/css", sheet]),
    ["/products.json", "*/*", "products.json"],
    ["/llms.txt", "*/*", "llms.txt"],
  ];
}

function read(site: string, file: string): string {
  if (existsSync(join(site, file))) return readFileSync(join(site, file), "utf8");
  throw new StartError(`The build has no ${file}.`);
}

async function ask(nginx: OwnNginx, path: string, accept: string): Promise<{ status: number; body: string }> {
  try {
    return await askNginx(nginx, path, { accept }, AbortSignal.timeout(5_000));
  } catch {
    return { status: 0, body: "" };
  }
}

/** Checks a site before visitors get it, behind an nginx of its own. Throws StartError. */
export async function checkUnseen(site: string, baseUrl: string): Promise<void> {
  const runtime = mkdtempSync(join(tmpdir(), "twinfront-check-"));
  mkdirSync(join(runtime, "logs"));
  try {
    const [host, port, apiPort] = ["127.0.0.1", await findFreePort(), await findFreePort()];
    const nginx = await startNginx(runtime, {
      host,
      port,
      apiPorts: [apiPort],
      baseUrl,
      trustedProxies: [],
      dist: site,
    });
    try {
      await checkSite({ url: `http://${host}:${port}` }, site);
    } finally {
      await stopChild(nginx, "SIGTERM", 5_000);
    }
  } finally {
    rmSync(runtime, { recursive: true, force: true });
  }
}
