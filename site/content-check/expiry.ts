import { date } from "../content-schema/fields.ts";
import { daysLeft } from "../content-schema/security.ts";
import { securityTxtPath } from "../urls/paths.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** Early enough to be noticed by a shop that changes once a week. */
const WARNING_DAYS = 30;

/** RFC 9116, 2.5.5 recommends less than a year. */
const MOST_DAYS = 365;

/** A security contact that is over, soon will be, or is promised for too long. Doubts only: the shop must still be built, and is built without it. */
export function findExpiry(file: string, yaml: Yaml): Problem[] {
  const day = date.safeParse(yaml.document.getIn(["security", "expires"])).data;
  const advice = day === undefined ? undefined : describeExpiry(daysLeft(day, new Date()));
  if (advice === undefined) return [];
  const message = `security, expires ${day} ${advice}`;
  return [{ file, line: locate(yaml, ["security", "expires"]).line, message, isDoubt: true }];
}

function describeExpiry(left: number): string | undefined {
  if (left > MOST_DAYS)
    return "is more than a year ahead, and nobody believes that long in a contact. Write a day within a year.";
  if (left >= WARNING_DAYS) return undefined;
  return `${left < 0 ? "is over" : "is near"}: after that day the shop is built without ${securityTxtPath}. Is the contact still right? Then write a later day.`;
}
