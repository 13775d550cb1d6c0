// `node publish-builds.ts FOLDER COUNT`: publishes COUNT builds of `manyPages` in a site's folder, one after another, and then more
// until its input ends.
import { setImmediate } from "node:timers/promises";
import { openBuilds } from "../../site/build/builds.ts";
import { manyPages, writeSite } from "./run-nginx.ts";

const [folder = "", count] = process.argv.slice(2);
const builds = openBuilds(folder);
let isEnough = false;
process.stdin.resume().once("end", () => {
  isEnough = true;
});
for (let number = 1; number <= Number(count) || !isEnough; number += 1) {
  writeSite(builds.next, manyPages(`build ${number}`));
  builds.putInPlace();
  // Lets the end of the input be noticed.
  await setImmediate();
}
