import { spawn } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";

/** Starts the dev server of a copy of the project; answers once it does. The caller stops it. */
export async function startDevServer(root: string): Promise<{ url: string; stop: () => void }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const dev = spawn(
    join(root, "site/node_modules/.bin/astro"),
    ["dev", "--host", "127.0.0.1", "--port", String(port)],
    {
      cwd: join(root, "site"),
      env: { PATH, HOME, ASTRO_TELEMETRY_DISABLED: "1" },
      stdio: "ignore",
    },
  );
  await vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 200 });
  return { url, stop: () => dev.kill() };
}
