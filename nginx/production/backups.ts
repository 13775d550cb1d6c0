import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS, days } from "../../api/contract/duration.ts";
import { type Finding, fault, warning, well } from "../../api/operation/doctor/finding.ts";

/** Where the timers of a host keep backups: systemd's StateDirectory of twinfront-backup. */
export const BACKUPS = "/var/lib/twinfront-backups";

/** In the folder of backups: the name of the last one that was restored on trial, at the time of the file. */
export const RESTORED = "restored.txt";

const HOUR_MS = 3_600_000;
/** One a day, with two hours for it to be late; a fault when the next one is missing too. */
const [LATE_MS, MISSING_MS] = [26 * HOUR_MS, 50 * HOUR_MS];
/** One trial a week, with a day for it to be late. */
const PROVEN_MS = days(8);

/** The name of the newest complete backup in a folder; undefined if there is none. */
export const newestBackup = (folder: string): string | undefined =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(name))
    .sort()
    .at(-1);

/** How old the newest backup in a folder is, and how long ago one was shown to be restorable. */
export function examineBackups(folder: string, now: Date): Finding[] {
  const newest = newestBackup(folder);
  if (newest === undefined) return [fault("backup", `none in ${folder}: systemctl start twinfront-backup`)];
  return [examineAge(newest, now), examineTrial(join(folder, RESTORED), now)];
}

function examineAge(name: string, now: Date): Finding {
  const time = name.replace(/T(\d\d)-(\d\d)-(\d\d)Z$/, "T$1:$2:$3Z");
  const ageMs = now.getTime() - Date.parse(time);
  const text = `the newest is ${Math.floor(ageMs / HOUR_MS)} h old`;
  if (ageMs < LATE_MS) return well("backup", text);
  const finding = ageMs < MISSING_MS ? warning : fault;
  return finding("backup", `${text}: journalctl -u twinfront-backup says why`);
}

function examineTrial(file: string, now: Date): Finding {
  const trial = statSync(file, { throwIfNoEntry: false });
  const how = "systemctl start twinfront-restore-trial, and journalctl -u twinfront-restore-trial if it fails";
  if (!trial) return warning("trial", `no backup has been restored on trial yet: ${how}`);
  const ageMs = now.getTime() - trial.mtimeMs;
  const text = `a backup was restored on trial ${Math.floor(ageMs / DAY_MS)} days ago`;
  return ageMs < PROVEN_MS ? well("trial", text) : warning("trial", `${text}: ${how}`);
}
