import { rmSync } from "node:fs";
import { join } from "node:path";
import { killChildren } from "../../../nginx/local/child-process.ts";
import { step } from "../../../nginx/local/report.ts";
import { ensureSystemPackages } from "../../../nginx/local/system-packages.ts";
import { addCleanup } from "../../cleanup.ts";
import { buildSite, copyWorkspace } from "../../workspace.ts";
import { ROUNDS } from "../rounds.ts";
import type { Bar, Findings, Row } from "../table.ts";
import { type Load, measureLoads } from "./load.ts";
import { ANYTHING, CHROME, CLAUDE_CODE, GEMINI_CLI, PARSED_ACCEPT, type Request, unchanged } from "./requests.ts";
import { explainPeers, toRows } from "./rows.ts";
import { askOnce, ensureSameAnswer } from "./same-answer.ts";
import { DEBIAN, readTuning, type Server, startBare, startOurs, startProgram } from "./servers.ts";

/** Working time of each server per round. */
const SECONDS = 2;

/** Our nginx against a bare one, Fastify, and Markdown made on the fly: one process each, the same page. */
export async function benchWeb(): Promise<Findings> {
  ensureSystemPackages(["wrk"]);
  const { folder, dist } = await step("site", async () => {
    const copy = copyWorkspace();
    addCleanup(() => rmSync(copy, { recursive: true, force: true }));
    return { summary: "built in a copy", value: { folder: copy, ...(await buildSite(copy)) } };
  });
  // Added after the folder, so that processes end before it is removed.
  addCleanup(killChildren);
  const ours = await startOurs(folder, dist);
  const bare = await startBare("bare nginx", folder, dist, DEBIAN);
  const tuned = await startBare("bare, tuned", folder, dist, readTuning(join(folder, "ours")));
  const fastify = await startProgram("Fastify", "fastify-faces.ts", folder, dist);
  const onTheFly = await startProgram("on the fly", "on-the-fly.ts", folder, dist);
  const { etag = "" } = await askOnce(ours, CHROME);
  const nginxes = [bare, tuned];
  return {
    rows: explainPeers([
      ...(await compare(CHROME, ours, [...nginxes, fastify], { atLeast: 0.95 })),
      ...(await compare(CLAUDE_CODE, ours, [...nginxes, fastify], { atLeast: 0.9 }, [onTheFly])),
      ...(await compare(GEMINI_CLI, ours, nginxes, { atLeast: 0.9 })),
      ...(await compare(ANYTHING, ours, [bare])),
      ...(await compare(unchanged(etag), ours, [bare])),
      ...(await compare(PARSED_ACCEPT, ours, [bare])),
    ]),
  };
}

/** @param bar for ours against the first of `same`, whose answers must be the same bytes; answers of `other` may differ */
function compare(
  request: Request,
  ours: Server,
  same: readonly Server[],
  bar?: Bar,
  other: readonly Server[] = [],
): Promise<Row[]> {
  return step("load", async () => {
    await ensureSameAnswer([ours, ...same], request);
    const servers = [ours, ...same, ...other];
    await measureLoads(servers, request, 1); // to warm up
    const rounds: Load[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureLoads(servers, request, SECONDS));
    const measured = servers.map(({ name }, index) => [name, rounds.flatMap((loads) => loads[index] ?? [])]);
    return { summary: request.what, value: toRows(request.what, Object.fromEntries(measured), bar) };
  });
}
