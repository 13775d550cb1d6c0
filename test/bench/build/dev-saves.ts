import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild } from "../../../nginx/local/child-process.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { step } from "../../../nginx/local/report.ts";
import { ROUNDS } from "../rounds.ts";
import { raisePrice } from "./own-builds.ts";
import { countProducts } from "./rows.ts";
import type { Shop } from "./shop.ts";

/** A first page needs all content to be read, which takes a minute for 10,000 products on a busy machine. */
const LIMIT_MS = 600_000;

/** Starts the dev server of a shop and saves a product with another price, several times. Returns the seconds until both faces have it. */
export async function timeSaves(shop: Shop): Promise<number[]> {
  const port = await findFreePort();
  const { child, ended } = startChild({
    name: "dev server",
    program: process.execPath,
    args: [
      join(shop.folder, "site/node_modules/astro/bin/astro.mjs"),
      "dev",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ],
    cwd: join(shop.folder, "site"),
    env: { ASTRO_TELEMETRY_DISABLED: "1", BASE_URL: undefined, NODE_OPTIONS: undefined },
    logFile: join(shop.folder, "dev.log"),
  });
  const saves: number[] = [];
  const save = async () => {
    const { file, text } = raisePrice(shop);
    const saved = performance.now();
    for (const face of ["", ".md"]) await waitFor(`http://127.0.0.1:${port}/${file.replace(/\.md$/, face)}`, text);
    return (performance.now() - saved) / 1000;
  };
  // The first one also waits for the server and its code.
  await step("dev", async () => ({ summary: `${countProducts(shop.products)}, first page`, value: await save() }));
  while (saves.length < ROUNDS) saves.push(await step("dev", async () => ({ summary: "saved", value: await save() })));
  child.kill();
  await ended;
  return saves;
}

async function waitFor(url: string, text: string): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const page = await fetch(url).then(
      (answer) => answer.text(),
      () => "",
    );
    if (page.includes(text)) return;
    if (performance.now() > end) throw new Error(`${url} doesn't show ${text}`);
    await sleep(20);
  }
}
