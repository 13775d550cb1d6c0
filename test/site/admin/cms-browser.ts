import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { aroundAll, expect, onTestFinished } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { bundleCms } from "../../../site/admin/cms/bundle.ts";
import { DRAFTS, MAIN } from "../../../site/admin/content/drafts.ts";
import { git } from "../../../site/admin/content/git.ts";
import { note } from "../../costs/note.ts";
import { withPage } from "../../end-to-end/visitors/with-page.ts";
import { eventually } from "../../eventually.ts";
import { adminSheet } from "../../nginx/sign-in-files.ts";
import { openAdmin } from "./admin-app.ts";
import { ANN, type WhenDone } from "./repository.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** What nginx allows the page of the CMS. */
const [, POLICY] =
  /~\^\/admin\/cms\/ "(.+)";/.exec(readFileSync(join(ROOT, "nginx/conf/admin/values.conf"), "utf8")) ?? [];

/** An admin behind what stands in for nginx and the API. */
interface Admin {
  repository: string;
  url: string;
  /** Whether the editor's session is there. */
  session: { isSignedOut: boolean };
}

type Files = Record<string, string | Uint8Array>;

/** Starts an admin with the demo shop's files or others. */
async function startAdmin(options: { files?: Files; bundle?: string }, whenDone: WhenDone): Promise<Admin> {
  const { app, repository, editor } = await openAdmin(options, whenDone);
  const socket = join(dirname(repository), "admin.sock");
  await app.listen({ path: socket });
  const session = { isSignedOut: false };
  const proxy = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    const [name = "", ending = ""] = /^\/admin\/[\w-]+\.(css|js)$/.exec(url ?? "") ?? [];
    if (name !== "") {
      outgoing.writeHead(200, { "content-type": ending === "css" ? "text/css" : "text/javascript" });
      outgoing.end(ending === "css" ? adminSheet() : readFileSync(join(ROOT, "site/public", name)));
      return;
    }
    if (session.isSignedOut) {
      incoming.resume();
      outgoing.writeHead(401, { "content-type": "application/problem+json" });
      outgoing.end('{"status":401,"detail":"Sign in."}');
      return;
    }
    const passed = request(
      // A connection that is kept would keep the admin from closing for seconds.
      { socketPath: socket, agent: false, path: url, method, headers: { ...headers, ...editor(ANN) } },
      (answer) => {
        const isPage = url === "/admin/cms/";
        outgoing.writeHead(answer.statusCode ?? 500, {
          ...answer.headers,
          ...(isPage && { "content-security-policy": POLICY }),
        });
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  const port = await findFreePort();
  proxy.listen(port, "127.0.0.1");
  await once(proxy, "listening");
  whenDone(() => void proxy.close());
  return { repository, url: `http://localhost:${port}`, session };
}

/** The requests of a page that leave the shop at `url`, as they are sent. */
function watchRequests(page: Page, url: string): string[] {
  const elsewhere: string[] = [];
  page.on("request", (sent) => {
    if (!/^(data:|blob:)/.test(sent.url()) && new URL(sent.url()).origin !== url) elsewhere.push(sent.url());
  });
  return elsewhere;
}

interface Opening extends BrowserContextOptions {
  /** By default, the demo shop's. */
  files?: Files;
}

/** Opens a browser for an admin of its own. No request may leave it. */
export async function openInBrowser(
  { files, ...options }: Opening,
  use: (page: Page, repository: string, url: string) => Promise<void>,
): Promise<void> {
  const { repository, url } = await startAdmin({ ...(files && { files }) }, onTestFinished);
  await withPage(options, async (page) => {
    const elsewhere = watchRequests(page, url);
    await use(page, repository, url);
    expect(elsewhere).toEqual([]);
  });
}

/** A higher one takes much longer to paint. */
const DESKTOP = { width: 1280, height: 900 };

let running: { admin: Admin; desktop: Page } | undefined;

/** Bundles the CMS and starts an admin with these files, and a browser for it, once for all tests of this file. */
export function useCms(files: Files): void {
  aroundAll(async (runTests) => {
    const undo: (() => void)[] = [];
    try {
      const bundle = mkdtempSync(join(tmpdir(), "twinfront-cms-"));
      undo.push(() => rmSync(bundle, { recursive: true }));
      await bundleCms(bundle);
      const admin = await startAdmin({ files, bundle }, (step) => undo.push(step));
      await withPage({ reducedMotion: "reduce", locale: "en-GB" }, async (page) => {
        running = { admin, desktop: page };
        await runTests();
      });
    } finally {
      running = undefined;
      for (const step of undo.reverse()) await step();
    }
  });
}

/** `signOut` ends the editor's session, and returns what begins another. */
type Use = (page: Page, repository: string, cms: string, signOut: () => () => void) => Promise<void>;

/**
 * Opens the CMS, signed in, in the browser of this file's tests or on another kind of screen. No request may leave the shop.
 * The browser's CMS stays open, because opening it costs more than most tests do in it, and so the drafts of tests before are
 * there: each test edits entries of its own, as openEntry() checks. After a test that ended elsewhere than in a list, such as a
 * failed one, the CMS is opened again, with the drafts as main and nothing kept by the browser.
 */
export async function openCms(use: Use, screen?: BrowserContextOptions): Promise<void> {
  const { admin, desktop } = running ?? noCms();
  const { repository, url, session } = admin;
  const cms = `${url}/admin/cms/`;
  session.isSignedOut = false;
  const open = async (page: Page) => {
    note("cmsOpenings");
    await page.goto(cms);
    await page.getByText("POS terminals").first().waitFor();
  };
  const visit = async (page: Page) => {
    const elsewhere = watchRequests(page, url);
    if (!isInList(page)) await open(page);
    await use(page, repository, cms, () => {
      session.isSignedOut = true;
      return () => {
        session.isSignedOut = false;
      };
    });
    expect(elsewhere).toEqual([]);
  };
  if (screen) return withPage(screen, visit);
  desktop.removeAllListeners("request");
  await desktop.setViewportSize(DESKTOP);
  if (!isInList(desktop)) {
    await forget(desktop, url);
    await git(repository, ["update-ref", "-d", DRAFTS]);
  }
  await visit(desktop);
}

function noCms(): never {
  throw new Error("A file that opens the CMS begins with useCms().");
}

/** Whether a page shows a list of the CMS, as it does after a save. */
const isInList = (page: Page): boolean => /\/admin\/cms\/#\/collections\/[^/]+$/.test(page.url());

/** Leaves a page, and takes away what its scripts have stored: Sveltia keeps texts that weren't saved. */
async function forget(page: Page, origin: string): Promise<void> {
  await page.goto("about:blank");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await devtools.detach();
}

/** Opens an entry that no test before has changed. */
export async function openEntry(page: Page, cms: string, entry: string): Promise<void> {
  const { repository } = (running ?? noCms()).admin;
  const changed = (await git(repository, ["diff", "--name-only", MAIN, DRAFTS])).toString();
  expect(changed, "changed by tests before").not.toContain(`/${basename(entry)}.`);
  await page.goto(`${cms}#/collections/${entry.replace("/", "/entries/")}`);
  await page
    .getByRole("textbox", { name: /Title|Subject|Name/ })
    .first()
    .waitFor();
}

/** Notes in the page when it says that an entry is saved. Sveltia takes the words away after seconds, before a busy test may look. */
const WATCH_FOR_SAVED = `{
  window.hasSaidSaved = false;
  const watcher = new MutationObserver(() => {
    if (!document.body.textContent.includes("Entry saved")) return;
    window.hasSaidSaved = true;
    watcher.disconnect();
  });
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
}`;

/** Saves an entry, and closes the note of what the check says of it. Returns that; empty if the check found nothing. */
export async function saveEntry(page: Page): Promise<string> {
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.evaluate(WATCH_FOR_SAVED);
  const [checked] = await Promise.all([
    page.waitForResponse((response) => response.url().includes("/api/admin/problems?")),
    page
      .waitForResponse((response) => response.url().endsWith("/contents"))
      .then((saved) => expect(saved.status()).toBe(201)),
    // The words of a save before may still be there.
    eventually(async () => expect(await page.evaluate("window.hasSaidSaved"), "says 'Entry saved'").toBe(true)),
    // Sveltia goes back to its list. An entry that is opened before it has would be left for the one that was saved.
    page.waitForURL((url) => !url.hash.includes("/entries/") && !url.hash.endsWith("/new"), { waitUntil: "commit" }),
    save.click(),
  ]);
  await save.waitFor({ state: "hidden" });
  const { problems } = await checked.json();
  const note = page.locator("#wait");
  const told = note.getByText(problems.length === 0 ? "No mistakes" : "The check says");
  await told.waitFor();
  const said = await note.getByRole("status").textContent();
  await note.getByRole("button", { name: "Close" }).press("Escape");
  await told.waitFor({ state: "detached" });
  return problems.length === 0 ? "" : (said ?? "");
}

/** The lines that the last commit took away and put in. */
export async function lastChange(repository: string): Promise<string[]> {
  const diff = await git(repository, ["diff", "-U0", "--no-color", `${DRAFTS}~1`, DRAFTS]);
  return diff
    .toString()
    .split("\n")
    .filter((line) => /^[-+](?![-+])/.test(line));
}
