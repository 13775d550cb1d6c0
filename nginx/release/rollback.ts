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
What release ${current} was made of stays out of \`npm run release -- --if-changed\`, which hosts run every night, until
it changes or ${note} is deleted. \`npm run release\` releases it again.`);
  adviseRestart(run, current, true);
});
