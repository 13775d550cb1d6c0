import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killChildren, startChild, waitUntilReady } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { CHROMIUM, ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { atEnd } from "../endings.ts";

const FLAGS = [
  "--headless=new",
  // Chromium as root has no sandbox, and nothing strange is opened.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-extensions",
  "--disable-sync",
  "--no-first-run",
];

/** Starts Debian's Chromium with an empty profile. Returns the port of its DevTools; it ends when grading does. */
export async function startBrowser(): Promise<number> {
  ensureSystemPackages(CHROMIUM);
  const folder = mkdtempSync(join(tmpdir(), "twinfront-chromium-"));
  // It may still be writing its profile as it is ended.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  atEnd(killChildren);
  const port = await findFreePort();
  const logFile = join(folder, "log");
  const browser = startChild({
    name: "Chromium",
    program: "chromium",
    args: [...FLAGS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`, "about:blank"],
    logFile,
  });
  await waitUntilReady(browser, logFile, () =>
    fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return port;
}
