import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../../api/operation/demo/random.ts";
import { changeRandomly } from "../../site/build/random-changes.ts";
import { describeWholeBuild, differences } from "../../site/build/whole-build.ts";
import { checkFaces, type Shop } from "./shop.ts";
import { measureUsage, type Usage } from "./usage.ts";

/** The integrations that neither face needs. */
const AFTERWARDS = ["publish"];
const MARKDOWN = ["markdown-face", "llms-full"];

/** The site in HTML alone, from nothing, without compression. */
export const buildHtml = (shop: Shop): Promise<Usage> => buildWithout([...MARKDOWN, ...AFTERWARDS], shop, "HTML");

/** The site in both faces, from nothing, without compression. */
export const buildFaces = (shop: Shop): Promise<Usage> => buildWithout(AFTERWARDS, shop, "both");

async function buildWithout(leftOut: readonly string[], shop: Shop, faces: "HTML" | "both"): Promise<Usage> {
  forgetBuilds(shop);
  const script = join(import.meta.dirname, "astro-build.ts");
  const usage = await runNode("Astro's build", [script, join(shop.folder, "site"), ...leftOut], shop);
  checkFaces(distOf(shop), shop, faces);
  return usage;
}

/** `npm run build`, from nothing. */
export function buildAll(shop: Shop): Promise<Usage> {
  forgetBuilds(shop);
  return buildAgain(shop);
}

/** `npm run build` after a build and one change. */
export async function buildChanged(shop: Shop, change: Change): Promise<Usage> {
  const { file, text } = change(shop);
  const usage = await buildAgain(shop);
  const found = globSync(file, { cwd: distOf(shop) }).some((each) =>
    readFileSync(join(distOf(shop), each), "utf8").includes(text),
  );
  if (!found) throw new Error(`${file} doesn't have its change, ${text}`);
  return usage;
}

async function buildAgain(shop: Shop): Promise<Usage> {
  const usage = await runNode("npm run build", [join(shop.folder, "site", "commands", "build.ts")], shop);
  checkFaces(distOf(shop), shop, "both");
  await oldBuildsGone(shop);
  return usage;
}

/** A quick build after `count` random changes to texts and prices. */
export async function buildAfterChanges(shop: Shop, count: number, random: Random): Promise<Usage> {
  changeRandomly(join(shop.folder, "content"), count, random);
  const usage = await buildAgain(shop);
  if (!usage.output.includes("files have changed")) throw new Error(`It wasn't quick:\n\n${usage.output}`);
  return usage;
}

/** The files in which the builds of two shops differ. */
export const differencesOf = async (one: Shop, other: Shop): Promise<string[]> =>
  differences(await describeWholeBuild(distOf(one)), await describeWholeBuild(distOf(other)));

/** A build goes on deleting the oldest one when it has ended, which would slow what is measured next. */
async function oldBuildsGone({ folder }: Shop): Promise<void> {
  while (globSync("site/.builds/old-*", { cwd: folder }).length > 0) await sleep(100);
}

/** Runs the step of `npm start` that builds the site. Throws if it builds when it should skip, or the reverse. */
export async function startSite(shop: Shop, expected: "builds" | "skips"): Promise<Usage> {
  const step = `import { buildSite } from "./nginx/local/steps.ts"; console.log((await buildSite()).summary);`;
  const usage = await runNode("npm start", ["--input-type=module", "--eval", step], shop);
  checkFaces(distOf(shop), shop, "both");
  const found = usage.output.includes("unchanged since the last build") ? "skips" : "builds";
  if (found !== expected) throw new Error(`npm start ${found} the site unexpectedly: ${usage.output.trim()}`);
  return usage;
}

const distOf = ({ folder }: Shop) => join(folder, "site", "dist");

/** Without the environment's settings for the site and Node. */
const runNode = (what: string, args: readonly string[], { folder }: Shop) =>
  measureUsage(what, process.execPath, args, {
    cwd: folder,
    env: { BASE_URL: undefined, NODE_OPTIONS: undefined, ASTRO_TELEMETRY_DISABLED: "1" },
  });

function forgetBuilds({ folder }: Shop): void {
  for (const made of ["dist", ".builds", ".cache", ".astro"])
    rmSync(join(folder, "site", made), { recursive: true, force: true });
}

/** Changes a shop's content. Returns what the build has of it then, and in which of its files. */
export type Change = (shop: Shop) => { file: string; text: string };

/** So that no change is made twice. */
let changes = 0;

function changeFile(file: string, pattern: RegExp, replacement: string): void {
  const before = readFileSync(file, "utf8");
  const after = before.replace(pattern, replacement);
  if (after === before) throw new Error(`${file} has nothing like ${pattern}`);
  writeFileSync(file, after);
}

/** Writes another sentence at the end of the last product's text. */
export const addSentence: Change = ({ folder }) => {
  const file = globSync(join(folder, "content/products/*/*.md")).sort().at(-1) ?? "";
  changes += 1;
  const text = `It was tried on ${changes} counters.`;
  changeFile(file, /\s*$/, `\n\n${text}\n`);
  return { file: `products/${basename(file)}`, text };
};

/** Writes another tagline into store.yaml, which the home page shows. */
export const changeTagline: Change = ({ folder }) => {
  changes += 1;
  const text = `Counter hardware, list ${changes}`;
  changeFile(join(folder, "content/store.yaml"), /^tagline: .*$/m, `tagline: ${text}`);
  return { file: "index.md", text };
};

/** Draws the last generated picture, which hundreds of products share, with other corners. */
export const changePicture: Change = ({ folder }) => {
  const file = globSync(join(folder, "content/products/*/*-[0-9].svg")).sort().at(-1) ?? "";
  changes += 1;
  const text = `rx="${12 + changes}"`;
  changeFile(file, /rx="\d+"/, text);
  return { file: "_astro/*.svg", text };
};

/** Raises the price of the last product with one variant by one unit. */
export const raisePrice: Change = ({ folder }) => {
  const content = join(folder, "content");
  for (const file of globSync("products/*/*.md", { cwd: content }).sort().reverse()) {
    const text = readFileSync(join(content, file), "utf8");
    const [line, units, cents] = /^price: "(\d+)\.(\d\d)"$/m.exec(text) ?? [];
    if (line === undefined) continue;
    const price = `${Number(units) + 1}.${cents}`;
    writeFileSync(join(content, file), text.replace(line, `price: "${price}"`));
    return { file: `products/${basename(file)}`, text: price };
  }
  throw new Error(`${content} has no product with one variant`);
};
