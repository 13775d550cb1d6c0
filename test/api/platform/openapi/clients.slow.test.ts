import { execFile } from "node:child_process";
import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { bareEnvironment } from "../../../bare-environment.ts";
import { makeFolder } from "../../../temporary-folder.ts";
import { startApi, token } from "../../api.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { file as document } from "./openapi-document.ts";

const openapi = fileURLToPath(document);
const clients = join(import.meta.dirname, "../../../clients");
const packages = join(clients, "node_modules");
const buyer = {
  email: "ada@example.com",
  first_name: "Ada",
  last_name: null,
  company: null,
  phone: null,
  vat_id: null,
};
const DAYS = ["openapi-fetch-day", "hey-api-day"];

/** Runs a program of test/clients. Throws an error with its output unless it ends with 0. */
async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  if (!existsSync(packages)) throw new Error("Run `npm run setup:clients` first.");
  const options = { cwd, env: { ...bareEnvironment(), NO_COLOR: "1", ...env } };
  const ended = promisify(execFile)(program, args, options);
  const { stdout } = await ended.catch((error) => Promise.reject(new Error(`${error.stdout}\n${error.stderr}`)));
  return stdout;
}

const bin = (name: string) => join(packages, ".bin", name);

test("Spectral has nothing to say about openapi.json", async () => {
  await run(bin("spectral"), ["lint", openapi, "--ruleset=spectral.yaml", "--fail-severity=hint"], clients);
});

test("clients that two generators make of openapi.json compile strictly, and a partner lives a day with each", async () => {
  const folder = makeFolder("twinfront-clients-", tmpdir());
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(packages, join(folder, "node_modules"));
  for (const name of ["package.json", "tsconfig.json", ...DAYS.map((day) => `${day}.ts`)])
    cpSync(join(clients, name), join(folder, name));
  await run(bin("openapi-typescript"), [openapi, "-o", "schema.ts"], folder);
  await run(bin("openapi-ts"), ["-i", openapi, "-o", "client", "-c", "@hey-api/client-fetch", "--no-log-file"], folder);
  await run(bin("tsc"), [], folder);
  for (const day of DAYS) {
    const { app, db } = await startApi();
    await storeShopFacts(db, shopFacts({ erp: { owns: ["stock", "price"], books_placed: false } }));
    await importProducts(db, [product("kestrel-c2", { variants: [variant("KES-C2-BK")] })]);
    for (let count = 0; count < 2; count += 1)
      await placeOrder(db, newOrder({ buyer, lines: [newLine({ quantity: 2 })] }));
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const env = { BASE_URL: `http://127.0.0.1:${port}`, TOKEN: token };
    const said = await run(process.execPath, [join("out", `${day}.js`)], folder, env);
    expect(JSON.parse(said), day).toEqual({
      ...{ status: "completed", fulfillment: "returned", external_id: "SO-1", cancelled: "cancelled" },
      ...{ invoices: 1, returns: 1, refunds: 1, counted: 1, priced: 1, stock: 1, products: 1 },
      ...{ preview: "order.pushed", deliveries: 0, refused: "Conflict" },
    });
  }
});
