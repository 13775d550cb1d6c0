import { DUPLICATE_SIGNAL_MS } from "../../api/close-on-signals.ts";
import { SettingsError } from "../../api/env.ts";
import { StartError } from "../programs.ts";
import { type LocalSettings, readEnvironment, readLocalSettings } from "../settings.ts";
import { createSupervisor, killChildren, type Supervisor } from "./child-process.ts";
import { closeDataFolder, type DataFolder, lockDataFolder, makeDataFolder, openDataFolder } from "./data-folder.ts";
import { localUrl, reservePort } from "./ports.ts";
import { step } from "./report.ts";
import { ensureSystemPackages } from "./system-packages.ts";

export interface ShopRun {
  settings: LocalSettings;
  folder: DataFolder;
  supervisor: Supervisor;
}

/**
 * Prints the title, checks settings, packages, ports and data folder, and runs `open`, until a signal or a failure.
 * Always stops every child and removes the runtime folder. A failure is one message and exit code 1.
 */
export async function runUntilStopped(title: string, open: (run: ShopRun) => Promise<void>): Promise<void> {
  console.log(`\n${title}\n`);
  let folder: DataFolder | undefined;
  let closing = false;
  const close = async (exitCode: number, message: string) => {
    if (closing) return;
    closing = true;
    process.exitCode = exitCode;
    console.error(`\n${message}\n`);
    await supervisor.stop();
    await killChildren();
    if (folder) closeDataFolder(folder);
    process.exit();
  };
  const supervisor = createSupervisor((reason) => void close(1, `${reason} Its log is in DATA_DIR, in logs/.`));
  closeOnSignals(close, () => closing);
  try {
    const settings = readLocalSettings(readEnvironment());
    await step("packages", async () => ({ summary: describe(ensureSystemPackages()), value: undefined }));
    folder = await claimDataFolder(settings);
    await open({ settings, folder, supervisor });
  } catch (error) {
    // An interrupted start fails in many ways; close() has already printed its message and ignores this one.
    await close(1, explain(error));
  }
}

async function claimDataFolder(settings: LocalSettings): Promise<DataFolder> {
  const path = await makeDataFolder(settings.dataDir);
  await lockDataFolder(path, localUrl(settings));
  await reservePort("PORT", settings.host, settings.port);
  if (settings.metricsPort) await reservePort("METRICS_PORT", "127.0.0.1", settings.metricsPort);
  if (settings.apiPort) await reservePort("API_PORT", "127.0.0.1", settings.apiPort);
  return openDataFolder(path, settings.environment);
}

function closeOnSignals(close: (code: number, message: string) => Promise<void>, isClosing: () => boolean): void {
  let stoppedAt = 0;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (!isClosing()) {
        stoppedAt = Date.now();
        void close(0, "Stopping … (Ctrl-C again stops at once)");
      } else if (signal === "SIGINT" && Date.now() - stoppedAt > DUPLICATE_SIGNAL_MS) {
        void killChildren();
      }
    });
  }
  // The shop keeps running when the reader of its output goes away (`npm start | head`).
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => void close(1, explain(error)));
  }
}

const describe = (installed: string[]) =>
  installed.length === 0 ? "nginx and MariaDB are installed" : `installed ${installed.length} system packages`;

function explain(error: unknown): string {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
