import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dumpDatabase } from "../../../api/operation/backup/dump.ts";
import { BACKUPS, examineBackups } from "../../../nginx/production/backups.ts";
import { hostFiles } from "../../../nginx/production/host.ts";
import { startApi } from "../../api/api.ts";

const NOW = new Date("2026-11-23T12:00:00Z");

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What the doctor says of backups from these times, one of which was restored so many days ago. */
function examine(names: string[], daysSinceTrial?: number): Record<string, string> {
  const folder = makeFolder();
  for (const name of names) mkdirSync(join(folder, name));
  if (daysSinceTrial !== undefined) {
    const time = new Date(NOW.getTime() - daysSinceTrial * 86_400_000);
    writeFileSync(join(folder, "restored.txt"), "");
    utimesSync(join(folder, "restored.txt"), time, time);
  }
  return Object.fromEntries(examineBackups(folder, NOW).map(({ name, state, text }) => [name, `${state}: ${text}`]));
}

test("the doctor says how old the newest complete backup is, and which age is a warning or a fault", () => {
  const last = (name: string) =>
    examine(["2026-11-01T02-00-00Z", name, "2026-11-23T11-00-00Z.77.unfinished"], 1)["backup"];
  expect(last("2026-11-23T02-00-00Z")).toBe("well: the newest is 10 h old");
  expect(last("2026-11-22T02-00-00Z")).toMatch(/^warning: the newest is 34 h old: journalctl -u twinfront-backup /);
  expect(last("2026-11-21T02-00-00Z")).toMatch(/^fault: the newest is 58 h old/);
  expect(examine([])["backup"]).toMatch(/^fault: none in .+: systemctl start twinfront-backup$/);
});

test("the doctor says how long ago a backup was restored on trial", () => {
  const trial = (days?: number) => examine(["2026-11-23T02-00-00Z"], days)["trial"];
  expect(trial(3)).toBe("well: a backup was restored on trial 3 days ago");
  expect(trial(9)).toMatch(
    /^warning: a backup was restored on trial 9 days ago: systemctl start twinfront-restore-trial/,
  );
  expect(trial()).toMatch(/^warning: no backup has been restored on trial yet/);
});

test("after a new backup, those of more than two weeks ago are deleted, and nothing else", () => {
  const folder = makeFolder();
  for (const [name, days] of [
    ["2026-11-01T02-00-00Z", 20],
    ["2026-11-11T02-00-00Z", 13],
    ["2026-11-23T02-00-00Z", 0],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "database.sql.gz"), "");
    const time = new Date(Date.now() - days * 86_400_000);
    utimesSync(join(folder, name), time, time);
  }
  writeFileSync(join(folder, "restored.txt"), "");
  utimesSync(join(folder, "restored.txt"), 0, 0);
  // As systemd makes it for a service with a user of its own.
  const link = join(makeFolder(), "link");
  symlinkSync(folder, link);
  const unit = hostFiles({
    root: "/srv",
    contentRoot: "/srv",
    nginxPorts: [80],
    trustedProxies: [],
    apiPorts: [],
    metricsPorts: [],
    releasesDir: "/srv/releases",
  }).find(({ path }) => path.endsWith("twinfront-backup.service"));
  const [, command = ""] = /^ExecStartPost=(.+)$/m.exec(unit?.content ?? "") ?? [];
  expect(spawnSync("sh", ["-c", command.replace(BACKUPS, link)]).status).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["2026-11-11T02-00-00Z", "2026-11-23T02-00-00Z", "restored.txt"]);
});

function runTrial(folder: string) {
  const program = ["nginx/production/restore-trial.ts", folder];
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: join(import.meta.dirname, "../../.."),
    env: { PATH },
    encoding: "utf8",
    timeout: 600_000,
  });
  return { status, stdout, stderr };
}

test("the trial restores the newest backup, notes its name, and fails on one that is damaged", async () => {
  const { db } = await startApi();
  const folder = makeFolder();
  const [good, damaged] = ["2026-11-23T02-00-00Z", "2026-11-24T02-00-00Z"].map((name) => join(folder, name));
  mkdirSync(good ?? "");
  await dumpDatabase(db, join(good ?? "", "database.sql.gz"));
  expect(runTrial(folder)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Restored the state of .+\n$/) });
  const note = join(folder, "restored.txt");
  expect(readFileSync(note, "utf8")).toBe("2026-11-23T02-00-00Z\n");
  rmSync(note);
  mkdirSync(damaged ?? "");
  appendFileSync(join(damaged ?? "", "database.sql.gz"), "not a dump");
  expect(runTrial(folder)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("damaged") });
  expect(existsSync(note)).toBe(false);
});
