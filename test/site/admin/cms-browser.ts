import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { bundleCms } from "../../../site/admin/cms/bundle.ts";
import { DRAFTS } from "../../../site/admin/drafts.ts";
import { git } from "../../../site/admin/git.ts";
import { note } from "../../costs/note.ts";
import { withPage } from "../../end-to-end/visitors/with-page.ts";
import { eventually } from "../../eventually.ts";
import { openAdmin } from "./admin-app.ts";
import { ANN, demoShopWith } from "./repository.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** What nginx allows the page of the CMS. */
const [, POLICY] =
  /~\^\/admin\/cms\/ "(.+)";/.exec(readFileSync(join(ROOT, "nginx/conf/admin/values.conf"), "utf8")) ?? [];

/** Empty in files that don't open the CMS. */
let bundle = "";
/** Bundles the CMS for the tests of this file. */
export function useCms(): void {
  beforeAll(async () => {
    bundle = mkdtempSync(join(tmpdir(), "twinfront-cms-"));
    await bundleCms(bundle);
    return () => {
      rmSync(bundle, { recursive: true });
      bundle = "";
    };
  });
}

type Use = (page: Page, repository: string, url: string, signOut: () => void) => Promise<void>;

/** What Sveltia's tests edit. */
export const smallShop = demoShopWith("accessories/ferncote-cleaning-cards", "barcode-scanners/tavrel-pip");

/** Opens the CMS in a browser. */
export async function openCms(use: Use, files = smallShop): Promise<void> {
  await openInBrowser(
    { files, viewport: { width: 1280, height: 4000 }, reducedMotion: "reduce", locale: "en-GB" },
    async (page, repository, url, signOut) => {
      note("cmsOpenings");
      const cms = `${url}/admin/cms/`;
      await page.goto(cms);
      await page.getByText("POS terminals").first().waitFor();
      await use(page, repository, cms, signOut);
    },
  );
}

interface Opening extends BrowserContextOptions {
  /** By default, the demo shop's. */
  files?: Record<string, string | Uint8Array>;
}

/** Opens a browser for the admin, behind what stands in for nginx and the API. No request may leave it. */
export async function openInBrowser({ files, ...options }: Opening, use: Use): Promise<void> {
  const { app, repository, editor } = await openAdmin({ ...(bundle && { bundle }), ...(files && { files }) });
  const socket = join(dirname(repository), "admin.sock");
  await app.listen({ path: socket });
  let isSignedOut = false;
  const signOut = () => {
    isSignedOut = true;
  };
  const proxy = createServer((incoming, outgoing) => {
    const { url, method, headers } = incoming;
    if (isSignedOut) {
      incoming.resume();
      outgoing.writeHead(401, { "content-type": "application/problem+json" });
      outgoing.end('{"status":401,"detail":"Sign in."}');
      return;
    }
    if (url === "/admin/admin.css") {
      outgoing.writeHead(200, { "content-type": "text/css" });
      outgoing.end(readFileSync(join(ROOT, "api/editors/admin.css")));
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
  onTestFinished(() => void proxy.close());
  const url = `http://localhost:${port}`;
  await withPage(options, async (page) => {
    const elsewhere: string[] = [];
    page.on("request", (sent) => {
      if (!/^(data:|blob:)/.test(sent.url()) && new URL(sent.url()).origin !== url) elsewhere.push(sent.url());
    });
    await use(page, repository, url, signOut);
    expect(elsewhere).toEqual([]);
  });
}

export async function openEntry(page: Page, cms: string, entry: string): Promise<void> {
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

export async function saveEntry(page: Page): Promise<void> {
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.evaluate(WATCH_FOR_SAVED);
  await Promise.all([
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
}

/** The lines that the last commit took away and put in. */
export async function lastChange(repository: string): Promise<string[]> {
  const diff = await git(repository, ["diff", "-U0", "--no-color", `${DRAFTS}~1`, DRAFTS]);
  return diff
    .toString()
    .split("\n")
    .filter((line) => /^[-+](?![-+])/.test(line));
}

/** Changes the titles of entries in Sveltia, and checks that each is one line of a commit. */
export async function expectOneLineEach(entries: readonly string[], files = smallShop): Promise<void> {
  await openCms(async (page, repository, cms) => {
    for (const entry of entries) {
      await openEntry(page, cms, entry);
      const title = page.getByRole("textbox", { name: /^(Title|Subject|Name)/ }).first();
      const old = await title.inputValue();
      await title.fill(`${old}!`);
      await saveEntry(page);
      const change = await lastChange(repository);
      const wanted = change[0]?.replace("-", "+").replace(old, `${old}!`);
      expect([entry, change.length, change[1]]).toEqual([entry, 2, wanted]);
    }
  }, files);
}
