import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { type ParsedMail, simpleParser } from "mailparser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, inject } from "vitest";
import { readDatabaseAddress } from "../../../api/env.ts";
import type { DetailsForm } from "../../../api/people/checkout/details.ts";
import { type Db, openDatabase } from "../../../api/platform/database/pool.ts";
import { localRepository } from "../../../nginx/local/content-repository.ts";
import { findRuntimeFolder } from "../../../nginx/local/data-folder.ts";
import { privateDatabaseAddress } from "../../../nginx/local/private-database.ts";
import { assistantToken, identitySecret } from "../../api/assistant/assistant-shop.ts";
import { filledForm } from "../../api/people/checkout/filled-form.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { eventually } from "../../eventually.ts";
import { copyWorkspace } from "../../workspace.ts";
import { type ShopProcess, startShop } from "../shop-process.ts";

/** The number that the stand-in for VIES confirms; all others are unknown to it. */
export const VALID_VAT_ID = "DE136695976";

let shop: ShopProcess;
let db: Db;
let vies: Awaited<ReturnType<typeof startVies>>;
let dataDir: string;
let workspace: string;

/**
 * Opens a shop for this file's orders, because the shared one is only read from. It serves the shared one's build, or
 * with `env`, which may change the pages and the copy's files, a build of its own.
 */
export function openOrderingShop(env?: (workspace: string) => Promise<Record<string, string>>): void {
  // What this file has made, so that after a failed start nothing of another file is removed.
  const undo: (() => unknown)[] = [];
  const remove = (folder: string) => undo.push(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    vies = await startVies();
    undo.push(vies.close);
    dataDir = mkdtempSync(join(tmpdir(), "twinfront-ordering-"));
    remove(dataDir);
    workspace = env ? copyWorkspace() : join(inject("dist"), "..", "..");
    if (env) remove(workspace);
    const added = await env?.(workspace);
    // The commit that the shared build, or the copy's, was made from, so that it is found unchanged.
    const repository = localRepository(join(workspace, ".data"));
    if (existsSync(repository)) cpSync(repository, localRepository(dataDir), { recursive: true });
    shop = await startShop(workspace, {
      DATA_DIR: dataDir,
      VAT_CHECK_URL: vies.url,
      PLACEMENTS_PER_HOUR: "100000",
      RATE_LIMIT_PER_MINUTE: "0",
      ASSISTANT_API_TOKEN: assistantToken,
      ASSISTANT_IDENTITY_SECRET: identitySecret,
      ...added,
    });
    undo.push(shop.stop);
    const runtime = findRuntimeFolder(dataDir);
    if (!runtime) throw new Error("The shop doesn't run from its folder.");
    db = openDatabase(readDatabaseAddress({ DATABASE_URL: privateDatabaseAddress(runtime).url }));
    undo.push(() => db.destroy());
  });
  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });
}

async function startVies() {
  const server = createServer(async (request, response) => {
    const { countryCode, vatNumber } = JSON.parse(await text(request));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ countryCode, vatNumber, valid: countryCode + vatNumber === VALID_VAT_ID }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`, close: () => server.close() };
}

/** What the shop printed when it started. */
export const startOutput = (): string => shop.output();

export const at = (path: string): string => shop.url + path;

/** The shop's own database. */
export const database = (): Db => db;

/** Changes a version as an import does. */
export async function changeVariant(
  sku: string,
  change: { availability?: "in_stock" | "out_of_stock"; price?: string },
): Promise<void> {
  await db.updateTable("product_variants").set(change).where("sku", "=", sku).execute();
}

/** Runs `npm run order` with these arguments beside the shop. */
export async function runOrderCommand(...args: string[]): Promise<void> {
  const program = ["nginx/local/shop-command.ts", "order", ...args];
  await promisify(execFile)(process.execPath, program, {
    cwd: workspace,
    env: { ...bareEnvironment(), DATA_DIR: dataDir },
  });
}

/** The mail of a kind about an order, once it's written: `npm start` writes mails as files. */
export async function readMail(number: string, kind: string): Promise<ParsedMail> {
  const folder = join(dataDir, "mails");
  const id = Number(number.replace("A-", "")) - 1_000;
  const name = await eventually(() => {
    const isIt = (file: string) => file.startsWith(`order-${id}-${kind}`) && file.endsWith(".eml");
    const found = readdirSync(folder).filter(isIt).sort().at(-1); // their names end with their times
    if (!found) throw new Error(`There is no mail ${kind} about ${number} yet.`);
    return found;
  });
  return simpleParser(readFileSync(join(folder, name)));
}

/** The address in a mail that opens its order, at this shop. */
export function linkIn({ text = "" }: ParsedMail): string {
  const { pathname, search } = new URL(/https?:\S+\/account\/open\?key=\S+/.exec(text)?.[0] ?? "");
  return at(pathname + search);
}

/** Puts a product without versions into the basket from its page, and stays on the basket's. */
export async function addProduct(page: Page, slug: string, quantity = "1"): Promise<void> {
  await page.goto(at(`/products/${slug}`));
  await page.getByLabel("Quantity").fill(quantity);
  await page.getByRole("button", { name: "Add to basket", exact: true }).click();
}

/** Puts `items` into the basket by a link, as `SKU:2,SKU:1`. */
export async function takeLink(page: Page, items: string): Promise<void> {
  await page.goto(at(`/buy/${items}`));
  await page.getByRole("button", { name: "Add to basket", exact: true }).click();
}

/** Fills the form of the details and sends it: an order to Cologne, with `entered`. */
export async function enterDetails(page: Page, entered: Partial<DetailsForm> = {}): Promise<void> {
  await page.goto(at("/checkout"));
  const { billing_differs, ...form } = filledForm(entered);
  await page.locator("#billing_differs").setChecked(billing_differs === "yes");
  for (const [name, value] of Object.entries(form)) {
    const field = page.locator(`#${name}`);
    if (!(await field.isVisible())) continue; // the billing address, until it's wanted
    if (name.endsWith("country_code")) await field.selectOption(value);
    else if (name === "is_business") await field.setChecked(value === "yes");
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Continue to review" }).click();
}

export const placeButton = (page: Page) => page.getByRole("button", { name: /^Place order for / });

/** From a filled basket to the page of the new order. Returns its number. */
export async function placeOrder(page: Page, entered: Partial<DetailsForm> = {}): Promise<string> {
  await enterDetails(page, entered);
  await placeButton(page).click();
  return orderOn(page);
}

/** The number of the order whose page is shown. */
export async function orderOn(page: Page): Promise<string> {
  await page.waitForURL(/\/account\/orders\//);
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}
