// `npm run check:content`: lists the problems in content/ without a build.
import { join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { findProblems } from "../content-check/check.ts";
import { readContentFiles } from "../content-check/content-files.ts";
import { listErrors, listWarnings } from "../content-check/problem.ts";
import { openContentRoot } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";

readArguments("Usage: npm run check:content\n\nLists the problems in content/, without a build.", {});
const project = join(import.meta.dirname, "..", "..");
try {
  const root = openContentRoot(project);
  const { errors, warnings } = await findProblems(root, join(project, "site/.cache"));
  if (warnings.length > 0) console.error(listWarnings(warnings));
  if (errors.length > 0) {
    console.error(listErrors(errors));
    process.exitCode = 1;
  } else {
    const files = readContentFiles(root).paths.size;
    console.log(`${files} files, no errors, in ${process.uptime().toFixed(1)} s.`);
  }
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
