// `npm run release`: builds, and puts code and site in place together once everything about them is known to be right.
import { readArguments } from "../../api/read-arguments.ts";
import { makeRelease, makeReleaseIfChanged, migrate, showOrGoBack } from "./make-release.ts";
import { adviseRestart, runRelease } from "./run.ts";

const USAGE = `Usage: npm run release

Builds, and puts code, pages and catalogue live together once everything about them is known to be right.

  npm run release -- --if-changed   only if the site's input has changed, or a day that its pages promise has passed`;

const { values } = readArguments(USAGE, { "if-changed": { type: "boolean" } });
await runRelease("Release", async (run) => {
  const { releases } = run;
  const before = releases.current();
  const number = await (values["if-changed"] ? makeReleaseIfChanged : makeRelease)(run);
  if (number === undefined) return;
  try {
    await migrate(run, number);
    await showOrGoBack(run, number);
  } catch (error) {
    if (releases.current() !== number) releases.remove(number);
    throw error;
  }
  releases.prune();
  const back =
    releases.previous() === undefined
      ? ""
      : " Back to the last one: npm run rollback (on a host: systemctl start twinfront-rollback)";
  console.log(`\nRelease ${number} is live.${back}`);
  adviseRestart(run, before);
});
