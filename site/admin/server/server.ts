import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readArguments } from "../../../api/read-arguments.ts";
import { buildAdmin } from "./app.ts";

/** One Ctrl-C arrives twice: from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 500;

const ROOT = join(import.meta.dirname, "..", "..", "..");
const { env } = process;

readArguments(
  "Usage: npm run admin\n\nServes /admin to editors, from the repository in CONTENT_REPOSITORY. .env.example lists its settings.",
  {},
);

const repository = env["CONTENT_REPOSITORY"];
if (!repository) {
  console.error(
    "CONTENT_REPOSITORY isn't set, so there is no /admin. It names the bare repository that holds content/.",
  );
  process.exit(1);
}
const dataDir = resolve(ROOT, env["DATA_DIR"] || ".data");
const socket = resolve(ROOT, env["ADMIN_SOCKET"] || join(dataDir, "admin.sock"));
const app = buildAdmin({ repository: resolve(ROOT, repository), folder: join(dataDir, "admin"), logger: true });
// systemd's socket outlives this process, so that an editor's request waits while it restarts (sd_listen_fds(3)).
const isPassed = env["LISTEN_FDS"] === "1" && env["LISTEN_PID"] === String(process.pid);
await (isPassed ? listenAtPassedSocket() : listenAt(socket));
let closingSince: number | undefined;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (closingSince === undefined) {
      closingSince = Date.now();
      void app.close();
    } else if (Date.now() - closingSince > DUPLICATE_SIGNAL_MS) {
      process.exit(1);
    }
  });
}

async function listenAt(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  // Nobody but this user and nginx's group may say who the editor is.
  process.umask(0o117);
  await app.listen({ path });
  chmodSync(path, 0o660);
  process.umask(0o022);
}

/** By Node's own means: Fastify's logs an address that a Unix socket hasn't got. */
async function listenAtPassedSocket(): Promise<void> {
  await app.ready();
  app.server.listen({ fd: 3 });
}
