import { date } from "../src/content/fields.ts";
import { daysLeft } from "../src/content/security.ts";
import { securityTxtPath } from "../src/paths.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** Early enough to be noticed by a shop that changes once a week. */
const WARNING_DAYS = 30;

/** A security contact that is over, or soon will be. Doubts only: the shop must still be built, and is built without it. */
export function findExpiry(file: string, yaml: Yaml): Problem[] {
  const day = date.safeParse(yaml.document.getIn(["security", "expires"])).data;
  const left = day === undefined ? WARNING_DAYS : daysLeft(day, new Date());
  if (left >= WARNING_DAYS) return [];
  const state = left < 0 ? "is over" : "is near";
  const message = `security, expires ${day} ${state}: after that day the shop is built without ${securityTxtPath}. Is the contact still right? Then write a later day.`;
  return [{ file, line: locate(yaml, ["security", "expires"]).line, message, isDoubt: true }];
}
