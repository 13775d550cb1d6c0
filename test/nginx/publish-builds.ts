// `node publish-builds.ts FOLDER COUNT`: publishes COUNT builds of `manyPages` in a site's folder, one after another.
import { openBuilds } from "../../site/renderer/builds.ts";
import { manyPages, writeSite } from "./run-nginx.ts";

const [folder = "", count] = process.argv.slice(2);
const builds = openBuilds(folder);
for (let number = 1; number <= Number(count); number += 1) {
  writeSite(builds.next, manyPages(`build ${number}`));
  builds.publish();
}
