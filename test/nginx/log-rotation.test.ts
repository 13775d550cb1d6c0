import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { SERVER_PATH } from "../../nginx/programs.ts";
import { copyWorkspace } from "../workspace.ts";
import { writeSite } from "./run-nginx.ts";

/** Whether this process may mount a /var/log of its own, which leaves the machine's alone. */
const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/var/log"]).status === 0;

/**
 * Writes the configuration as a careful root, starts nginx and does what logrotate does by the written rule: rename, create,
 * postrotate. Then asks until the new log has a line, and prints it.
 */
const ROTATE = `set -eu
mount -t tmpfs -o mode=755 none /var/log
(umask 077; "$NODE" --import tsx nginx/write-configuration.ts "$FOLDER" >&2)
nginx -p "$FOLDER" -c nginx.conf
trap 'kill -QUIT "$(cat "$FOLDER/nginx.pid")"' EXIT
ask_until_logged() {
  for try in $(seq 200); do
    "$NODE" -e 'fetch(process.argv[1])' "http://127.0.0.1:$PORT$1"
    sleep 0.2
    ! grep "$1" /var/log/twinfront/access.log || return 0
  done
}
ask_until_logged /before > /dev/null
cd /var/log/twinfront
mv access.log access.log.1
$(sed -n 's/^\\tcreate \\(.*\\) \\(.*\\) \\(.*\\)/install -m \\1 -o \\2 -g \\3/p' "$FOLDER/logrotate.conf") /dev/null access.log
sed -n '/postrotate/,/endscript/{//d;p}' "$FOLDER/logrotate.conf" | sh
ask_until_logged /after
`;

test.skipIf(!canMount)(
  "after a rotation nginx writes into the new log, whatever root's umask is (run as root)",
  async () => {
    const workspace = copyWorkspace();
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    chmodSync(workspace, 0o755);
    writeSite(join(workspace, "site/dist"), { "index.html": "<html>", "404.html": "<html>" });
    const { status, stdout, stderr } = spawnSync("unshare", ["--mount", "sh", "-c", ROTATE], {
      cwd: workspace,
      env: {
        ...{ PATH: SERVER_PATH, NODE: process.execPath, FOLDER: join(workspace, "nginx folder") },
        ...{ PORT: String(await findFreePort()), API_PORT: String(await findFreePort()) },
      },
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('"path":"/after"');
  },
);
