import { rmSync } from "node:fs";
import { step } from "../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { addCleanup } from "../cleanup.ts";
import { startShop, stopShops } from "../end-to-end/shop-process.ts";
import { copyWorkspace } from "../workspace.ts";
import { ROUNDS } from "./rounds.ts";
import type { Findings, Row } from "./table.ts";

/** How long `npm start` takes with nothing changed, and Ctrl-C while the shop is idle. */
export async function benchStart(): Promise<Findings> {
  ensureSystemPackages();
  const workspace = copyWorkspace();
  addCleanup(() => rmSync(workspace, { recursive: true, force: true }));
  addCleanup(stopShops);
  await step("first", async () => ({
    summary: "builds and migrates, not measured",
    value: await timeStart(workspace),
  }));
  const times: StartTimes[] = [];
  while (times.length < ROUNDS) {
    const round = `round ${times.length + 1}`;
    times.push(await step(round, async () => ({ summary: "nothing changed", value: await timeStart(workspace) })));
  }
  const row = (what: string, quantity: keyof StartTimes, atMost: number): Row => {
    return { what, unit: "s", ours: { name: "ours", values: times.map((each) => each[quantity]) }, bar: { atMost } };
  };
  return {
    rows: [
      {
        ...row("npm start, nothing changed: until ready", "readySeconds", 10),
        note: "the demo shop; without npm itself, which takes a few tenths of a second more.",
      },
      row("Ctrl-C while idle: until every process has ended", "stoppedSeconds", 5),
    ],
  };
}

interface StartTimes {
  readySeconds: number;
  stoppedSeconds: number;
}

async function timeStart(workspace: string): Promise<StartTimes> {
  const begin = performance.now();
  const shop = await startShop(workspace);
  const ready = performance.now();
  const code = await shop.stop();
  if (code !== 0) throw new Error(`The shop exited with code ${code}:\n${shop.output()}`);
  return { readySeconds: (ready - begin) / 1000, stoppedSeconds: (performance.now() - ready) / 1000 };
}
