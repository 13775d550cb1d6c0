import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOptions } from "../../../api/platform/http/connections.ts";
import { hostFiles, NGINX_FOLDER, unitNames } from "../../../nginx/production/host.ts";
import { debianEnvironment, debianProgram } from "../../debian-program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const API_PORTS = [3000, 3001];
/** What the units run must exist where it is checked. */
const folder = mkdtempSync(join(tmpdir(), "twinfront-units-"));
const reload = join(folder, "nginx", "reload");
const units = hostFiles({
  root: ROOT,
  contentRoot: ROOT,
  nginxPorts: [80, 443],
  trustedProxies: [],
  apiPorts: API_PORTS,
  metricsPorts: [9464, 9465],
  releasesDir: join(folder, "releases"),
  editing: {
    repository: join(folder, "content.git"),
    socket: "/run/twinfront/admin.sock",
    baseUrl: "https://shop.example",
  },
})
  .filter(({ path }) => path.startsWith("/etc/systemd/system/"))
  .map(({ path, content }) => ({ name: path.slice("/etc/systemd/system/".length), content }));

/** systemd's own tool checks the units: without it, nothing does. */
const systemdAnalyze = debianProgram("systemd", "usr/bin/systemd-analyze");
const withSystemd = test.skipIf(!systemdAnalyze);

beforeAll(() => {
  mkdirSync(dirname(reload));
  writeFileSync(reload, "#!/bin/sh\n");
  chmodSync(reload, 0o755);
  for (const { name, content } of units) {
    // A template is checked as the instances that it is for.
    const names = name.includes("@.") ? API_PORTS.map((port) => name.replace("@", `@${port}`)) : [name];
    for (const unit of names) {
      mkdirSync(dirname(join(folder, unit)), { recursive: true });
      writeFileSync(
        join(folder, unit),
        content.replaceAll(NGINX_FOLDER, dirname(reload)).replaceAll("/usr/sbin/nft", reload),
      );
    }
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const analyze = (...args: string[]) => {
  // Where systemd's own units are, such as sysinit.target; the colon adds the usual places.
  const SYSTEMD_UNIT_PATH = `${join(systemdAnalyze ?? "", "../../../lib/systemd/system")}:`;
  const env = { ...process.env, ...debianEnvironment("systemd"), SYSTEMD_UNIT_PATH };
  const { status, stdout, stderr } = spawnSync(systemdAnalyze ?? "", args, { env, encoding: "utf8" });
  return { status, stdout, stderr };
};

withSystemd("systemd accepts every unit (systemd-analyze verify)", () => {
  const files = unitNames(API_PORTS, { needsWorker: true, hasEditors: true })
    .concat(
      ["site", "rollback", "publish", "backup", "restore-trial", "doctor"].map((name) => `twinfront-${name}.service`),
    )
    .map((name) => join(folder, name));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(analyze("verify", "--man=no", ...files)).toEqual({ status: 0, stdout: "", stderr: "" });
});

withSystemd.each([
  ["twinfront-api@3000.service", 1.5],
  ["twinfront-worker.service", 1.5],
  ["twinfront-site.service", 1.5],
  ["twinfront-rollback.service", 1.5],
  ["twinfront-refresh.service", 1.5],
  ["twinfront-admin.service", 1.5],
  ["twinfront-publish.service", 1.5],
  ["twinfront-nginx.service", 1.5],
  ["twinfront-connections.service", 1.5],
  ["twinfront-backup.service", 1.5],
  ["twinfront-restore-trial.service", 1.5],
  ["twinfront-doctor.service", 1.5],
])("%s is exposed no more than %f (systemd-analyze security)", (name, limit) => {
  // The threshold is in tenths.
  const file = join(folder, name);
  const { status, stdout } = analyze("security", "--offline=true", "--no-pager", `--threshold=${limit * 10}`, file);
  console.log(stdout.trim().split("\n").at(-1));
  expect(status).toBe(0);
});

test("API, worker, site, backups and nginx have each a user of their own, and none is root", () => {
  const users = units.flatMap(({ name, content }) =>
    name.endsWith(".service") ? [[name, /^User=(.*)$/m.exec(content)?.[1]]] : [],
  );
  expect(Object.fromEntries(users)).toEqual({
    "twinfront-api@.service": "twinfront-api",
    "twinfront-worker.service": "twinfront-worker",
    "twinfront-site.service": "twinfront-site",
    "twinfront-rollback.service": "twinfront-site",
    "twinfront-refresh.service": "twinfront-site",
    "twinfront-publish.service": "twinfront-site",
    "twinfront-admin.service": "twinfront-site",
    "twinfront-backup.service": "twinfront-backup",
    "twinfront-restore-trial.service": "twinfront-backup",
    "twinfront-doctor.service": "twinfront-backup",
    "twinfront-nginx.service": "www-data",
    "twinfront-connections.service": "twinfront-connections",
  });
});

test("each service runs node itself and reads the settings that only root can read; the trial of a backup and the admin have none", () => {
  const ofNode = units.filter(({ content }) => content.includes("/node "));
  expect(ofNode).toHaveLength(10);
  for (const { name, content } of ofNode) {
    const hasNone = ["twinfront-restore-trial.service", "twinfront-admin.service"].includes(name);
    const settings = hasNone ? "" : "--env-file=%d/settings.env ";
    for (const [, command] of content.matchAll(/^ExecStart=(.*)$/gm))
      expect(command).toMatch(
        new RegExp(`^/\\S+/node_modules/\\.bin/node ${settings}(?:--[a-z-]+(?:=\\d+)? )*/\\S+\\.ts(?: |$)`),
      );
    expect(content.includes("LoadCredential=settings.env:/etc/twinfront/settings.env\n")).toBe(settings !== "");
    expect(content).not.toContain("{{");
  }
});

test("the API listens on the socket that systemd passes to it, and only to it", () => {
  const passed = { LISTEN_FDS: "1", LISTEN_PID: String(process.pid) };
  expect(listenOptions(3000, passed)).toEqual({ host: "127.0.0.1", fd: 3 });
  for (const source of [{}, { ...passed, LISTEN_PID: "1" }, { ...passed, LISTEN_FDS: "2" }])
    expect(listenOptions(3000, source)).toEqual({ host: "127.0.0.1", port: 3000 });
});

test("each of several APIs has its own port for metrics", () => {
  const dropIns = units.filter(({ name }) => basename(name) === "metrics.conf");
  expect(dropIns.map(({ name, content }) => [dirname(name), content.split("\n").at(-2)])).toEqual([
    ["twinfront-api@3000.service.d", "Environment=METRICS_PORT=9464"],
    ["twinfront-api@3001.service.d", "Environment=METRICS_PORT=9465"],
  ]);
});
