import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
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

/** Waits until a page's text is as it should be. */
const soon = (path: string, check: (page: string, status: number) => void) =>
  eventually(async () => {
    const answer = await fetch(dev.url + path);
    check(await answer.text(), answer.status);
  });

test("a saved change is soon in both faces", async () => {
  save(kestrel, text.replace("It scans.", "It reads aloud."));
  for (const face of ["", ".md"])
    await soon(`/products/kestrel-c2${face}`, (page) => expect(page).toContain("reads aloud"));
});

test("a file that is emptied and filled again a moment later, as a save does on a busy disk, is read when it is whole", async () => {
  for (const [index, gap] of [5, 10, 20, 30, 40].entries()) {
    const file = openSync(join(root, "content", kestrel), "w");
    await sleep(gap);
    writeSync(file, text.replace("It scans.", `It scans ${index} times.`));
    closeSync(file);
    await soon("/products/kestrel-c2", (page) => expect(page).toContain(`It scans ${index} times.`));
  }
});

test("a new file appears in its category too, and leaves when it is removed", async () => {
  const file = "products/barcode-scanners/merlin.md";
  const merlin = text
    .replace("KES-C2", "MER")
    .replace(/gtin.*\n/, "")
    .replace("kestrel-c1", "merlin-0");
  save(file, merlin);
  await soon("/products/merlin", (_page, status) => expect(status).toBe(200));
  await soon("/categories/barcode-scanners.md", (page) => expect(page).toContain("/products/merlin)"));
  rmSync(join(root, "content", file));
  await soon("/products/merlin.md", (_page, status) => expect(status).toBe(404));
  await soon("/categories/barcode-scanners", (page) => expect(page).not.toContain("/products/merlin"));
});

test("a picture may be renamed", async () => {
  const folder = join(root, "content/products/barcode-scanners");
  renameSync(join(folder, "osprey.svg"), join(folder, "fish-hawk.svg"));
  const osprey = "products/barcode-scanners/osprey.md";
  save(osprey, (validContent[osprey] ?? "").replace("./osprey.svg", "./fish-hawk.svg"));
  await soon("/products/osprey", (page) => expect(page).toContain("fish-hawk.svg"));
});

test("a changed store.yaml is another shop without a restart", async () => {
  const colours = 'colours:\n  light: { accent: "#8a1c3d" }\n  dark: { accent: "#f2a3b8" }\n';
  const store = (validContent["store.yaml"] ?? "")
    .replace("name: Testcounter", "name: Otherwell")
    .replace("EUR", "CHF");
  save("store.yaml", `${store}tax_name: MWST\n${colours}`);
  await soon("/", (page) => expect(page).toContain("Otherwell"));
  await soon("/products/kestrel-c2.md", (page) => expect(page).toMatch(/CHF\s189\.00.*incl\. 21% MWST/));
  await soon("/src/styles/tokens.css", (sheet) => expect(sheet).toContain("#8a1c3d"));
});

test("a mistake lies over the page, for who opens it later too, until it is mended", async () => {
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
