import type { Plan } from "./plan.ts";

/** Beside content/. */
export const REPORT_FILE = "import-report.txt";

/** So many names or reasons are shown in a terminal; the report has them all. */
const MOST_SHOWN = 10;
const NAMES_SHOWN = 3;

/** A number with its noun. */
export const count = (number: number, one: string, more = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : more}`;

/** What an import would do, in lines for a terminal. */
export function describePlan(plan: Plan, { includesTax }: { includesTax: boolean }): string[] {
  const added = plan.products.filter(({ isNew }) => isNew).length;
  const changed = plan.products.length - added;
  const { inFolder, toFetch, missing } = plan.pictures;
  return [
    `This is ${plan.format}.`,
    "",
    ...(added > 0 ? [`  ${count(added, "new product")}${drafts(plan)}`] : []),
    ...(changed > 0 ? [`  ${count(changed, "changed product")}`] : []),
    ...(plan.unchanged > 0
      ? [`  ${count(plan.unchanged, "product")} that ${plan.unchanged === 1 ? "is" : "are"} here already`]
      : []),
    ...(plan.categories.length > 0
      ? [
          `  ${count(plan.categories.length, "new category", "new categories")}: ${shown(
            plan.categories.map(({ title }) => title),
            MOST_SHOWN,
          )}`,
        ]
      : []),
    ...(inFolder > 0 ? [`  ${count(inFolder, "picture")} from the folder`] : []),
    ...(toFetch > 0 ? [`  ${count(toFetch, "picture")} to fetch from the web`] : []),
    ...(missing > 0
      ? [
          `  ${count(missing, "picture")} that ${missing === 1 ? "isn't" : "aren't"} in a folder: give it with --pictures`,
        ]
      : []),
    ...(added > 0 ? ["", `Prices are read as ${includesTax ? "including" : "without"} tax, as store.yaml says.`] : []),
    ...section(
      "Changed on the way:",
      [...plan.notes].map(([note, names]) => `  ${names.length.toLocaleString("en")} × ${note} (${shown(names)})`),
    ),
    ...section(
      "Left as they are, because somebody has edited or deleted their files. --update changes them too:",
      plan.edited.length > 0 ? [`  ${count(plan.edited.length, "product")}: ${shown(plan.edited, MOST_SHOWN)}`] : [],
    ),
    ...section(
      "Left out:",
      reasons(plan).map(([reason, names]) => `  ${names.length.toLocaleString("en")} × ${reason} (${shown(names)})`),
    ),
    ...(plan.unused.length > 0 ? ["", `Columns that nothing is made of: ${shown(plan.unused, MOST_SHOWN)}.`] : []),
  ];
}

function drafts({ products }: Plan): string {
  const number = products.filter(({ isNew, isDraft }) => isNew && isDraft).length;
  return number === 0 ? "" : `, ${number.toLocaleString("en")} of them as drafts`;
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_SHOWN;
  return ["", title, ...lines.slice(0, MOST_SHOWN), ...(more > 0 ? [`  … and ${more} more kinds`] : [])];
}

function shown(names: readonly string[], most = NAMES_SHOWN): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
}

/** Without what is particular to one product, such as its price. */
function reasons({ leftOut }: Plan): [string, string[]][] {
  const groups = Map.groupBy(leftOut, ({ reason }) => reason.replaceAll(/[“"][^”"]*[”"]/g, "“…”"));
  return [...groups].map(([reason, members]) => [reason, members.map(({ name }) => name)]);
}

/** All of it, for a file. */
export function writeReport(plan: Plan, { done, lost }: { done: readonly string[]; lost: readonly string[] }): string {
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title} (${lines.length})`, ...lines.map((line) => `  ${line}`), ""];
  return [
    ...block("Taken over", done),
    ...block("Pictures changed or left out", lost),
    ...[...plan.notes].flatMap(([note, names]) => block(note, names)),
    ...block("Left as they are, because somebody has edited or deleted their files", plan.edited),
    ...block(
      "Left out",
      plan.leftOut.map(({ name, line, reason }) => `line ${line}: ${name} ${reason}`),
    ),
    ...block("Columns that nothing is made of", plan.unused),
  ].join("\n");
}
