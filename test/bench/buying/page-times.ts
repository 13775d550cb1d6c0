import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AS_PARTNER, startApiProcess } from "../api/processes.ts";
import { interleave } from "../rounds.ts";
import type { Row } from "../table.ts";
import { runWrk } from "../wrk.ts";
import type { BenchShop } from "./buying.ts";
import { leadToReview, type ReadyShopper } from "./shoppers.ts";

const SHOPPERS = 50;
const SECONDS = 2;

/** Times the basket and the review page against a partner's GET of an order with as many lines. */
export async function measurePages(shop: BenchShop): Promise<Row[]> {
  const api = await startApiProcess(shop, shop.settings);
  const shoppers = await leadToReview(shop, api.url, SHOPPERS);
  const basket = writeWrkScript(shop.folder, "/cart", shoppers);
  const review = writeWrkScript(shop.folder, "/checkout/review", shoppers);
  const load = (connections: number, script?: string) => () =>
    runWrk({
      url: `${api.url}/api/orders/1`,
      headers: script ? {} : AS_PARTNER,
      connections,
      seconds: SECONDS,
      timeoutSeconds: 30,
      script,
    });
  const sides = {
    order1: load(1),
    basket1: load(1, basket),
    review1: load(1, review),
    order: load(SHOPPERS),
    basket: load(SHOPPERS, basket),
    review: load(SHOPPERS, review),
  };
  await interleave(sides, 1); // warms up the new process
  const times = await interleave(sides);
  await api.stop();
  const side = (name: string, of: keyof typeof sides, percentile: "p50" | "p99") => ({
    name,
    values: times[of].map((round) => round[percentile]),
  });
  const pages = [
    { name: "Basket", one: "basket1", many: "basket" },
    { name: "Review page", one: "review1", many: "review" },
  ] as const;
  return pages.flatMap(({ name, one, many }): Row[] => [
    {
      what: `${name}, one at a time`,
      unit: "ms",
      ours: side("p50", one, "p50"),
      theirs: side("GET /api/orders/{id}", "order1", "p50"),
      bar: { atMost: 3 },
      note: "three lines each",
    },
    {
      what: `${name}, ${SHOPPERS} shoppers`,
      unit: "ms",
      ours: side("p50", many, "p50"),
      theirs: side("GET /api/orders/{id}", "order", "p50"),
      bar: { atMost: 3 },
    },
    {
      what: `${name}, ${SHOPPERS} shoppers: p99`,
      unit: "ms",
      ours: side("p99", many, "p99"),
      theirs: side("p50", many, "p50"),
      bar: { atMost: 5 },
    },
  ]);
}

/** Writes a wrk script that requests one page for each shopper in turn. */
function writeWrkScript(folder: string, path: string, shoppers: readonly ReadyShopper[]): string {
  const file = join(folder, `${path.replaceAll("/", "-")}.lua`);
  const cookies = shoppers.map(({ cookie }) => `"${cookie}"`);
  const headers = `{["Cookie"] = cookies[at], ["X-Forwarded-Proto"] = "https", ["X-Forwarded-Host"] = "shop.example"}`;
  const next = `at = at % #cookies + 1\n  return wrk.format('GET', "${path}", ${headers})`;
  writeFileSync(file, `local cookies = {${cookies}}\nlocal at = 0\nrequest = function()\n  ${next}\nend\n`);
  return file;
}
