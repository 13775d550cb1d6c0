import { expect, test } from "vitest";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { byDepth } from "../../../depth.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { run, until } from "../../server-process.ts";
import { rush } from "./rush.ts";
import { startCheckout } from "./start-checkout.ts";

const CHECKOUTS = byDepth({ usual: 36, deep: 200 });

test(`faults 1 and 5: ${CHECKOUTS} checkouts by three API processes that are killed in turn, every third a double click, become one order each, which no poller misses`, async () => {
  const { db, url } = await openMigratedDatabase();
  const { sessionPages } = await startCheckout({ db });
  const start = async (port: number) => {
    const { child, ended } = run("server.ts", {
      DATABASE_URL: url,
      BASE_URL: "https://shop.example",
      API_PORT: String(port),
      ERP_PULL_API_TOKEN: token,
      RATE_LIMIT_PER_MINUTE: "0",
      SESSION_PAGES: sessionPages,
    });
    await until(
      () => fetch(`http://127.0.0.1:${port}/api/health/ready`),
      ({ ok }) => ok,
    );
    return { child, ended };
  };
  const processes = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const port = await findFreePort();
      let running = await start(port);
      const restart = async () => {
        running.child.kill("SIGKILL");
        await running.ended;
        running = await start(port);
      };
      return { url: `http://127.0.0.1:${port}`, restart };
    }),
  );
  const baskets = ["KES-C2-BK:2", "KES-C2-BK:1,KES-CABLE:3", "KES-PRE:1"];
  const urls = processes.map(({ url }) => url);
  const faults = processes.map(({ restart }) => restart);
  const { wrong, cut } = await rush({
    ...{ db, token, baskets, faults },
    ...{ shops: urls, polled: urls, checkouts: CHECKOUTS, atOnce: 9 },
  });
  expect(wrong).toEqual([]);
  expect(cut).toBeGreaterThan(0);
});
