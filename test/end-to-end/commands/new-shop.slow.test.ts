import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";
import { EXPORTS, fillIn, pageCommand } from "../../site/catalogue-import/moving-page.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { copyWorkspace } from "../../workspace.ts";
import { runRelease } from "../release-process.ts";
import { type ShopProcess, startShop, stopShops } from "../shop-process.ts";

const README = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
const workspace = copyWorkspace();
const folder = makeFolder("twinfront it's $HOME ünusual-");
/** Each shop's own by default; elsewhere tests keep it in the copy of the project. */
const DATA_DIR = join(folder, ".data");
let shop: ShopProcess;

beforeAll(async () => {
  const options = [
    "--name",
    "Teeladen Zünd",
    "--country",
    "DE",
    "--email",
    "a@zuend.test",
    "--phone",
    "+49 30 0000000",
  ];
  const { status, stderr } = spawnSync(process.execPath, ["site/commands/new-shop.ts", folder, ...options], {
    ...{ cwd: workspace, env: bareEnvironment(), encoding: "utf8" },
  });
  expect([status, stderr]).toEqual([0, ""]);
  shop = await startShop(workspace, { DATA_DIR, RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(async () => {
  await stopShops();
  for (const made of [workspace, folder]) rmSync(made, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(shop.url + path, { headers });
  return { status: answer.status, text: await answer.text() };
};

test("a new shop starts with its own pages in both faces, without a product and without an order", async () => {
  const { status, text } = await get("/", { accept: "text/markdown" });
  expect([status, text]).toEqual([200, expect.stringContaining("Der Onlineshop von Teeladen Zünd, für Unternehmen.")]);
  expect(text).toContain("Derzeit gibt es hier keine Produkte.");
  const home = (await get("/", { accept: "text/html" })).text;
  expect(home).toContain("Derzeit gibt es hier keine Produkte.");
  // Of its address, street, town and register are still `?`.
  const [footer = ""] = /<address>.*<\/address>/s.exec(home) ?? [];
  expect([footer.includes("Teeladen Zünd"), footer.includes("Deutschland"), footer.includes("?")]).toEqual([
    ...[true, true, false],
  ]);
  expect(home).not.toContain('"?"');
  for (const path of ["/contact", "/shipping", "/returns", "/developers", "/search?q=tee", "/cart", "/llms.txt"])
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  // Until they are written.
  for (const path of ["/terms", "/privacy", "/imprint", "/about", "/guides"])
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  const authorization = `Bearer ${shop.token}`;
  expect(JSON.parse((await get("/api/orders?since_id=0", { authorization })).text)).toMatchObject({ orders: [] });
  expect(JSON.parse((await get("/api/products", { authorization })).text)).toMatchObject({ products: [] });
  expect(shop.output()).not.toMatch(/^ {2}orders /m);
  expect((await get("/")).text + (await get("/llms.txt")).text).not.toContain("Counterwell");
});

test("a release publishes what was imported and is changed in the shop's folder, and it can be ordered", async () => {
  const node = (args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      ...{ cwd: workspace, env: { ...bareEnvironment(), DATA_DIR }, encoding: "utf8" },
    });
  const file = join(EXPORTS, "shopify.csv");
  expect(node([...pageCommand("import:catalogue", { "../export.csv": file }), "--yes"]).stderr).not.toContain("Error");
  fillIn(folder);
  const page = join(folder, "content/pages/shipping.md");
  writeFileSync(page, `${readFileSync(page, "utf8")}\nMittwochs liefern wir nicht.\n`);
  const [code, output] = await runRelease(workspace, shop, "release", { DATA_DIR });
  expect([code, output]).toEqual([0, expect.stringContaining("Release 1 is live.")]);
  expect((await get("/shipping.md")).text).toContain("Mittwochs liefern wir nicht.");
  const read = node(pageCommand("stock", { "../my-shop": folder }));
  expect([read.stderr, read.stdout]).toEqual(["", expect.stringContaining("DL-W-40: 5 free to sell")]);
  // As README places one.
  const [placing = ""] = /^SHOP=.*JAR=[\s\S]*?(?=^```$)/m.exec(README) ?? [];
  const script = placing.replace("http://127.0.0.1:8080", shop.url).replace("TAV-PIP-1D:2", "DL-W-40:2");
  const placed = spawnSync("bash", ["-ec", script], { env: bareEnvironment(), encoding: "utf8" });
  expect(placed.stdout).toBe(`${shop.url}/account/orders/A-1001\n`);
  expect(node(["nginx/local/shop-command.ts", "stock", "show"]).stdout).toContain("DL-W-40: 3 free to sell");
});
