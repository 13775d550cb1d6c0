import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AssistantFile } from "../../../../api/contract/built-files/assistant.ts";
import type { SearchFile } from "../../../../api/contract/built-files/search.ts";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { now, writeJson } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { addSkus } from "../../../../api/selling/stock/ledger.ts";
import { CONTENT_PLACE, TILES_PLACE, TITLE_PLACE } from "../../../../site/private-pages/frame-places.ts";
import { mailFiles } from "../../../../site/private-pages/mails.ts";
import { privatePageFiles, writeSessionFolder } from "../../../../site/private-pages/session-folder.ts";
import { shops } from "../../../workspace.ts";
import { type Overrides, startApi } from "../../api.ts";
import { assistantFile } from "../../assistant/assistant-file.ts";
import { searchFile, searchIndexOf } from "../../people/search/search-file.ts";
import { shopFacts, variantAt } from "../../selling/quote/shop.ts";

/** A layout as Astro renders it, but short. */
export const frame = `<!doctype html><html lang="en"><head><title>${TITLE_PLACE} | Shop</title></head><body><main>${CONTENT_PLACE}${TILES_PLACE}<p><a href="/categories/receipt-printers">Receipt printers</a></p>${TILES_PLACE}</main></body></html>`;

/** What the shop sells: one product with a version for each availability, and an odd SKU. */
const variants = [
  variantAt("189.00"),
  variantAt("12.50", { sku: "KES-CABLE", title: "Cable" }),
  variantAt("249.00", { sku: "KES-PRE", title: "Cordless", availability: "preorder", available_from: "2099-02-01" }),
  variantAt("99.00", { sku: "KES-GONE", title: "White", availability: "out_of_stock" }),
  variantAt("1.00", { sku: "a/b,c:%", title: "Odd" }),
];

/** Writes `.session/` from this project's templates, the mails of a shop's `content` and other `files` into a folder that is removed after the test. */
export async function buildTemplates(
  { name, locale, currency, base_url } = shopFacts(),
  content: string = shops.demo,
  { search = searchFile(), counter = "null", assistant = assistantFile() } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-session-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = join(folder, ".session");
  const known = { search, assistant: JSON.stringify(assistant) };
  writeSessionFolder(out, await makeOnce({ name, locale, currency, base_url, content, counter, ...known }));
  return out;
}

/** Files of `.session/` by what they are made of, kept for all tests of a process. */
const made = new Map<string, ReturnType<typeof privatePageFiles>>();

interface Made extends Pick<ShopFacts, "name" | "locale" | "currency" | "base_url"> {
  content: string;
  counter: string;
  search: SearchFile;
  assistant: string;
}

function makeOnce(from: Made): ReturnType<typeof privatePageFiles> {
  const { name, locale, currency, base_url, content, counter, search, assistant } = from;
  const mails = globSync("mails/*.md", { cwd: content }).map((mail) => readFileSync(join(content, mail), "utf8"));
  const key = JSON.stringify([from, mails]);
  const make = async () => {
    const files = { ...mailFiles(content, { base_url, locale }), "counter.json": counter };
    return privatePageFiles({
      frame,
      shop: { locale, currency, name },
      files,
      search: await searchIndexOf(search),
      assistant,
    });
  };
  const files = made.get(key) ?? make();
  made.set(key, files);
  return files;
}

/** An API on its own database, or the given one, with the shop's facts, `variants` and the private pages. `customer()` is a new browser. */
export async function startShopApi(
  overrides: Overrides & { facts?: ShopFacts; search?: SearchFile; assistantFacts?: AssistantFile } = {},
) {
  const { facts = shopFacts(), search, assistantFacts, ...dependencies } = overrides;
  const { sessionPages = await buildTemplates(facts, undefined, { search, assistant: assistantFacts }) } = dependencies;
  const api = await startApi({ ...dependencies, sessionPages });
  const { db = api.db } = dependencies;
  await storeShop(db, facts);
  return { ...api, db, sessionPages, customer: (origin?: string) => makeCustomer(api.app, origin) };
}

export async function storeShop(db: Db, facts: ShopFacts): Promise<void> {
  await db
    .insertInto("shop_facts")
    .values({ id: 1, facts: writeJson(facts), imported_at: now() })
    .execute();
  const [{ product_title: title, path }] = variants as [(typeof variants)[0]];
  await db
    .insertInto("products")
    .values({
      ...{ id: 1, sequence: 1, slug: "kestrel-c2", status: "active", title, url: `https://shop.example${path}` },
      ...{ description: "A scanner.", brand: null, category: "barcode-scanners", content_hash: "" },
      ...{ images: writeJson([]), specifications: writeJson([]), variants: writeJson([]) },
      ...{ created_at: now(), updated_at: now() },
    })
    .execute();
  await db.insertInto("product_variants").values(variants).execute();
  await addSkus(db, variants);
}

type App = Awaited<ReturnType<typeof startApi>>["app"];
type Answer = Awaited<ReturnType<App["inject"]>>;

/** A browser without JavaScript: it keeps cookies, says where a form comes from, and follows nothing by itself. */
export interface Customer {
  /** Cookies by name. */
  jar: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
}

/** A browser at the shop's address, as nginx passes its requests on. */
export function makeCustomer(app: App, origin = "https://shop.example"): Customer {
  const { host, protocol } = new URL(origin);
  const jar = new Map<string, string>();
  const send = async (method: "GET" | "POST", url: string, headers: Record<string, string>, payload?: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...{ host: "api", "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) },
        ...(cookie && { cookie }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of answer.cookies)
      if (maxAge === 0) jar.delete(name);
      else jar.set(name, value);
    return answer;
  };
  return {
    jar,
    get: (path, headers = {}) => send("GET", path, headers),
    post: (path, fields, headers = {}) => {
      const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
      return send("POST", path, { ...form, ...headers }, new URLSearchParams(fields).toString());
    },
  };
}
