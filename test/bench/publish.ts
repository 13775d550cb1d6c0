import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { addCleanup } from "../cleanup.ts";
import { openEditor } from "../end-to-end/editor.ts";
import { startShop, stopShops } from "../end-to-end/shop-process.ts";
import { makeShop } from "./build/shop.ts";
import { ROUNDS } from "./rounds.ts";
import type { Findings } from "./table.ts";

const PRODUCTS = 10_000;
/** Longer than a publication with a whole build takes. */
const HANGS_MS = 10 * 60_000;

/** How long an editor waits from Publish until visitors get the price that was changed; partners have it a moment earlier. */
export async function benchPublish(): Promise<Findings> {
  ensureSystemPackages();
  const { folder } = makeShop(PRODUCTS);
  addCleanup(stopShops);
  const shop = await step("shop", async () => ({ summary: "built", value: await startShop(folder) }));
  const [link = ""] = /http:\/\/localhost:\d+\/admin\/enrol#\S+/.exec(shop.output()) ?? [];
  const { origin } = new URL(link);
  const ann = await openEditor(origin, origin, link);
  const [file = ""] = globSync("content/products/cash-drawers/*.md", { cwd: folder });
  const slug = file.replace(/.*\/(.*)\.md$/, "$1");
  const page = `/products/${slug}.md`;
  const seconds: number[] = [];
  while (seconds.length < ROUNDS) {
    const price = `9${seconds.length}.75`;
    const publish = async () => {
      const prices = "/admin/prices?category=cash-drawers";
      const [name = ""] = new RegExp(`price:[^"]*/${slug}\\.md[^"]*`).exec(await ann.read(prices)) ?? [];
      const saved = await (await ann.submit(prices, "/admin/prices", { [name]: price })).text();
      if (!saved.includes("Saved as drafts")) throw new Error(`The price of ${slug} wasn't saved`);
      const form = await ann.fill("/admin/publish", "/admin/publish");
      const begin = performance.now();
      const answer = await form.submit();
      if (answer.status !== 303) throw new Error(`Publish was answered by ${answer.status}`);
      while (!(await (await fetch(shop.url + page)).text()).includes(price)) {
        if (performance.now() - begin > HANGS_MS) throw new Error(`Nothing was published:\n${shop.output()}`);
        await sleep(100);
      }
      const taken = (performance.now() - begin) / 1000;
      // It ends by deleting an old release, which the next one would wait for.
      while (shop.output().split("is live.").length < seconds.length + 2) await sleep(100);
      return taken;
    };
    const round = `round ${seconds.length + 1}`;
    seconds.push(await step(round, async () => ({ summary: "one price", value: await publish() })));
  }
  return {
    rows: [
      {
        what: `from Publish to live, one price of ${PRODUCTS.toLocaleString("en-GB")} products`,
        unit: "s",
        ours: { name: "ours", values: seconds },
        bar: { atMost: 15 },
      },
    ],
  };
}
