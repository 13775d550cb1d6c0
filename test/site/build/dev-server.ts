import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { eventually } from "../../eventually.ts";

/** Starts the dev server of a copy of the project, and resolves when it answers. The caller stops it. */
export async function startDevServer(root: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const dev = spawn(
    join(root, "site/node_modules/.bin/astro"),
    ["dev", "--host", "127.0.0.1", "--port", String(port)],
    {
      cwd: join(root, "site"),
      env: bareEnvironment(),
      stdio: "ignore",
    },
  );
  const ended = once(dev, "exit");
  const stop = async () => {
    dev.kill();
    await ended;
  };
  await eventually(() => fetch(url)).catch((error) => stop().then(() => Promise.reject(error)));
  return { url, stop };
}
