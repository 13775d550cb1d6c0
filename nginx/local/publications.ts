import { existsSync, mkdirSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { requestFile } from "../../site/admin/publication/request.ts";
import { runToEnd } from "./child-process.ts";
import { step } from "./report.ts";
import type { ShopRun } from "./run.ts";

const PUBLISH = join(import.meta.dirname, "..", "release", "publish.ts");
/** After a failure that leaves the request, such as a database that is restarting. */
const RETRY_AFTER_MS = 2_000;

/** Publishes what editors ask for, one after the other, for as long as the shop runs; also what a killed shop has left. */
export function servePublications({ settings }: ShopRun, repository: string): void {
  const request = requestFile(repository);
  mkdirSync(dirname(request), { recursive: true });
  let isPublishing = false;
  const publishAll = async () => {
    if (isPublishing) return;
    isPublishing = true;
    while (existsSync(request)) await publish(settings.environment, repository).catch(reportFailure);
    isPublishing = false;
  };
  watch(dirname(request), () => void publishAll());
  void publishAll();
}

const publish = (environment: Record<string, string | undefined>, repository: string) =>
  step("publish", async () => {
    const env = { ...environment, CONTENT_REPOSITORY: repository };
    const { stdout, stderr } = await runToEnd("The publication", process.execPath, [PUBLISH], { env });
    return { summary: stdout.trim().split("\n").at(-1) ?? "", warnings: stderr.trim(), value: undefined };
  });

async function reportFailure(error: unknown): Promise<void> {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  await sleep(RETRY_AFTER_MS);
}
