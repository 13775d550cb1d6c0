import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "yaml";
import { readEnv, SettingsError } from "../../api/env.ts";
import { type NginxSettings, readNginxSettings } from "../settings.ts";
import { StartError } from "./start-error.ts";

const ROOT = join(import.meta.dirname, "..", "..");

export interface LocalSettings extends NginxSettings {
  baseUrl: string;
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** A server of one's own; undefined where the private MariaDB serves. */
  databaseUrl: string | undefined;
  /** As set; undefined where the token is the one kept in DATA_DIR. */
  token: string | undefined;
  /** Everything that was set, for the API's processes, which read their own. */
  environment: Record<string, string | undefined>;
}

/** The environment, over `.env` at the project's root. An empty value counts as none. */
export function readEnvironment(): Record<string, string | undefined> {
  const file = join(ROOT, ".env");
  if (existsSync(file) && !statSync(file).isFile())
    throw new StartError(".env is not a file. Copy .env.example to .env.");
  const merged = { ...(existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}), ...process.env };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ""));
}

/** Reads all settings of `npm start` and `npm run dev`. Throws SettingsError naming everything that is wrong at once. */
export function readLocalSettings(source: Record<string, string | undefined>): LocalSettings {
  const problems: string[] = [];
  const nginx = collect(problems, () => readNginxSettings(source));
  // The API reads its own; what the starter decides is filled in with something valid.
  collect(problems, () =>
    readEnv({
      ...source,
      API_PORT: "1",
      METRICS_PORT: undefined,
      BASE_URL: "https://shop.example",
      DATABASE_URL: source["DATABASE_URL"] ?? "mysql://root@localhost/twinfront",
    }),
  );
  if (!nginx || problems.length > 0) throw new SettingsError(problems);
  return {
    ...nginx,
    baseUrl: nginx.baseUrl ?? storeBaseUrl(),
    dataDir: resolve(ROOT, source["DATA_DIR"] ?? ".data"),
    databaseUrl: source["DATABASE_URL"],
    token: source["ERP_PULL_API_TOKEN"],
    environment: source,
  };
}

function collect<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** The base address in content/store.yaml. Throws StartError where there is none that can be used. */
export function storeBaseUrl(): string {
  const mend =
    "Write the shop's address there, scheme and host without a slash at the end: base_url: https://shop.example";
  try {
    const store: unknown = parse(readFileSync(join(ROOT, "content", "store.yaml"), "utf8"));
    const found = store && typeof store === "object" && "base_url" in store ? store.base_url : undefined;
    const { baseUrl } = readNginxSettings({ BASE_URL: typeof found === "string" ? found : undefined });
    if (baseUrl) return baseUrl;
  } catch {
    throw new StartError(`content/store.yaml cannot be read, or its base_url is not an origin. ${mend}`);
  }
  throw new StartError(`content/store.yaml has no base_url. ${mend}`);
}
