// `npm run check:content`: all that is wrong in content/, in a second or two, without a build.
import { join } from "node:path";
import { findProblems } from "../content-check/check.ts";
import { readContentFiles } from "../content-check/content-files.ts";
import { listDoubts, listErrors } from "../content-check/problem.ts";

const root = join(import.meta.dirname, "..", "..");
const { wrong, doubts } = await findProblems(root);
if (doubts.length > 0) console.error(listDoubts(doubts));
if (wrong.length > 0) {
  console.error(listErrors(wrong));
  process.exitCode = 1;
} else {
  const files = readContentFiles(root).paths.size;
  console.log(`${files} files, no mistakes, in ${process.uptime().toFixed(1)} s.`);
}
