// `npm run rollback`: site and catalogue of the release before, and the code in `current`; migrations stay.
import { readArguments } from "../../api/read-arguments.ts";
import { StartError } from "../programs.ts";
import { adviseRestart, checkAsStep, runRelease, showSite } from "./run.ts";

const USAGE = `Usage: npm run rollback

Puts pages and catalogue of the release before live again, the one that the current release replaced, and its code into
RELEASES_DIR/current. Migrations stay.`;

readArguments(USAGE, {});
await runRelease("Rollback", async (run) => {
  const { releases, isServing } = run;
  const current = releases.current();
  const previous = releases.previous();
  if (previous === undefined) throw new StartError("There is no release before this one to go back to.");
  const wasServing = await isServing();
  await showSite(run, previous);
  const note = current && releases.takeBack(current);
  await checkAsStep(run, wasServing);
  console.log(`
Release ${current} won't be published again until its content or code changes. To publish it anyway:
  on a host:  rm '${note}' && systemctl start twinfront-site
  elsewhere:  npm run release`);
  const commit = releases.commitOf(previous);
  if (commit !== undefined && commit !== releases.commitOf(current ?? previous))
    console.log(`\nRelease ${previous} has the code of this commit: git checkout ${commit}`);
  adviseRestart(run, current, true);
});
