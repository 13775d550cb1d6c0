// `npm run nginx -- FOLDER`: writes the configuration for a server of one's own and has nginx check it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { SettingsError } from "../api/env.ts";
import { readEnvironment, storeBaseUrl } from "./local/settings.ts";
import { StartError } from "./local/start-error.ts";
import { SERVER_PATH } from "./local/system-packages.ts";
import { renderNginx } from "./render.ts";
import { readNginxSettings } from "./settings.ts";

const DIST = join(import.meta.dirname, "..", "site", "dist");

try {
  writeConfiguration(process.argv[2]);
} catch (error) {
  if (!(error instanceof StartError || error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function writeConfiguration(target: string | undefined): void {
  if (!target) throw new StartError("Say where to write it: npm run nginx -- /etc/twinfront");
  if (!existsSync(DIST)) throw new StartError("There is no built site yet. Run `npm run build` first.");
  const { host, port, apiPort, baseUrl } = readNginxSettings(readEnvironment());
  if (!apiPort) throw new StartError("Set API_PORT to the port that the API listens on.");
  const folder = resolve(target);
  renderNginx(folder, {
    host,
    port,
    apiPort,
    baseUrl: baseUrl ?? storeBaseUrl(),
    dist: DIST,
    workerUser: process.getuid?.() === 0 ? "www-data" : undefined,
    errorLog: "error.log",
    accessLog: "access.log",
  });
  const options = ["-p", folder, "-c", "nginx.conf", "-e", "error.log"];
  const { status } = spawnSync("nginx", ["-t", ...options], {
    stdio: "inherit",
    env: { ...process.env, PATH: SERVER_PATH },
  });
  if (status !== 0) throw new StartError("nginx refuses the configuration; its reason stands above.");
  console.log(`Start it: nginx ${options.join(" ")}\nAfter a new build: nginx -s reload ${options.join(" ")}`);
}
