import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";
import { withPage } from "../../end-to-end/visitors/with-page.ts";
import { eventually } from "../../eventually.ts";
import { kestrel } from "../content-check/content-problems.ts";
import { copyWithContent, validContent } from "../content-check/content-tree.ts";
import { startDevServer } from "./dev-server.ts";

const text = validContent[kestrel] ?? "";
let root = "";
let dev: Awaited<ReturnType<typeof startDevServer>>;

beforeAll(async () => {
  root = copyWithContent();
  dev = await startDevServer(root);
});
afterAll(async () => {
  await dev.stop();
  rmSync(root, { recursive: true, force: true });
});

const save = (file: string, content: string) => writeFileSync(join(root, "content", file), content);

/** Fetches a page until it passes the check. */
const waitForPage = (path: string, check: (page: string, status: number) => void) =>
  eventually(async () => {
    const answer = await fetch(dev.url + path);
    check(await answer.text(), answer.status);
  });

test("a saved change soon appears in both faces", async () => {
  save(kestrel, text.replace("It scans.", "It reads aloud."));
  for (const face of ["", ".md"])
    await waitForPage(`/products/kestrel-c2${face}`, (page) => expect(page).toContain("reads aloud"));
});

test("a change saved on one dev server is on the page of the next one", async () => {
  save(kestrel, text.replace("It scans.", "It reads to the next server."));
  await waitForPage("/products/kestrel-c2", (page) => expect(page).toContain("reads to the next server"));
  await dev.stop();
  dev = await startDevServer(root);
  expect(await (await fetch(`${dev.url}/products/kestrel-c2`)).text()).toContain("reads to the next server");
});

test("a file emptied and rewritten a moment later, as by a save on a busy disk, is read once it is complete", async () => {
  for (const [index, gap] of [5, 10, 20, 30, 40].entries()) {
    const file = openSync(join(root, "content", kestrel), "w");
    await sleep(gap);
    writeSync(file, text.replace("It scans.", `It scans ${index} times.`));
    closeSync(file);
    await waitForPage("/products/kestrel-c2", (page) => expect(page).toContain(`It scans ${index} times.`));
  }
});

test("a new product appears on its own page and in its category until its file is removed", async () => {
  const file = "products/barcode-scanners/merlin.md";
  const merlin = text
    .replace("KES-C2", "MER")
    .replace(/gtin.*\n/, "")
    .replace("kestrel-c1", "merlin-0");
  save(file, merlin);
  await waitForPage("/products/merlin", (_page, status) => expect(status).toBe(200));
  await waitForPage("/categories/barcode-scanners.md", (page) => expect(page).toContain("/products/merlin)"));
  rmSync(join(root, "content", file));
  await waitForPage("/products/merlin.md", (_page, status) => expect(status).toBe(404));
  await waitForPage("/categories/barcode-scanners", (page) => expect(page).not.toContain("/products/merlin"));
});

test("a renamed picture appears on its product's page", async () => {
  const folder = join(root, "content/products/barcode-scanners");
  renameSync(join(folder, "osprey.svg"), join(folder, "fish-hawk.svg"));
  const osprey = "products/barcode-scanners/osprey.md";
  save(osprey, (validContent[osprey] ?? "").replace("./osprey.svg", "./fish-hawk.svg"));
  await waitForPage("/products/osprey", (page) => expect(page).toContain("fish-hawk.svg"));
});

test("changes to store.yaml take effect without a restart", async () => {
  const colours = 'colours:\n  light: { accent: "#8a1c3d" }\n  dark: { accent: "#f2a3b8" }\n';
  const store = (validContent["store.yaml"] ?? "")
    .replace("name: Testcounter", "name: Otherwell")
    .replace("EUR", "CHF")
    .replace("tax: {", "tax: { name: MWST,");
  save("store.yaml", `${store}${colours}`);
  await waitForPage("/", (page) => expect(page).toContain("Otherwell"));
  await waitForPage("/products/kestrel-c2.md", (page) => expect(page).toMatch(/CHF\s189\.00 with 21% MWST/));
  await waitForPage("/src/styles/sheets/shared.css", (sheet) => expect(sheet).toContain("#8a1c3d"));
});

test("the shop's own rules and files appear as they are saved", async () => {
  mkdirSync(join(root, "content/static/.well-known"), { recursive: true });
  save("static/google1234.html", "google-site-verification");
  save("static/.well-known/proof", "7B22");
  await waitForPage("/google1234.html", (text) => expect(text).toBe("google-site-verification"));
  await waitForPage("/.well-known/proof", (text) => expect(text).toBe("7B22"));
  for (const colour of ["#8a1c3d", "#0b5751"]) {
    save("theme.css", `h1 { color: ${colour} }`);
    await waitForPage("/src/styles/sheets/home.css", (sheet) => expect(sheet).toContain(`h1 { color: ${colour} }`));
  }
});

test("an error covers the open page, and pages opened later, until it is corrected", async () => {
  const message = `content/${kestrel}:3: brnad isn't a known field. Did you mean brand?`;
  await withPage({}, async (page) => {
    await page.goto(`${dev.url}/products/kestrel-c2`);
    const overlay = page.locator("vite-error-overlay");
    save(kestrel, text.replace("brand:", "brnad:"));
    await overlay.getByText(message).waitFor();
    await page.goto(`${dev.url}/guides`);
    await overlay.getByText(message).waitFor();
    save(kestrel, text);
    await overlay.waitFor({ state: "detached" });
  });
});
