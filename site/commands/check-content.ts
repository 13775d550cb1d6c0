// `npm run check:content`: lists the problems in content/ without a build.
import { join } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { findProblems } from "../content-check/check.ts";
import { readContentFiles } from "../content-check/content-files.ts";
import { listErrors, listWarnings } from "../content-check/problem.ts";

readArguments("Usage: npm run check:content\n\nLists the problems in content/, without a build.", {});
const root = join(import.meta.dirname, "..", "..");
const { errors, warnings } = await findProblems(root, join(root, "site/.cache"));
if (warnings.length > 0) console.error(listWarnings(warnings));
if (errors.length > 0) {
  console.error(listErrors(errors));
  process.exitCode = 1;
} else {
  const files = readContentFiles(root).paths.size;
  console.log(`${files} files, no errors, in ${process.uptime().toFixed(1)} s.`);
}
