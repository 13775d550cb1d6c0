import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { HIDDEN } from "../../../api/contract/hidden-characters.ts";
import { seededRandom } from "../../../api/operation/demo/random.ts";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem, type Problem } from "../../../site/content-check/problem.ts";
import { byDepth, seedFor } from "../../depth.ts";
import { buildSite } from "../../workspace.ts";
import { copyWithContent, mails, writeContent } from "./content-tree.ts";
import { follow, type Mutation, mutate, mutateStore, sellingStore } from "./mutations.ts";

const BATCHES = byDepth({ usual: 1, deep: 8 });
/** Built at once. */
const FILES = byDepth({ usual: 100, deep: 250 });
/** Lines of store.yaml that are changed one after the other, as far as the check takes them. */
const STORES = byDepth({ usual: 4, deep: 20 });

/** How often advice is followed in one place, until it must be right. */
const MOST_ADVICE = 3;

const shop = { ...mails, "store.yaml": sellingStore };

function write(root: string, mutations: readonly Mutation[]): void {
  for (const { files } of mutations)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, "content", path)), { recursive: true });
      writeFileSync(join(root, "content", path), content);
    }
}

/** What the check says of a shop with these files, without warnings. */
async function check(mutations: readonly Mutation[], store = sellingStore): Promise<Problem[]> {
  const root = writeContent({ ...shop, "store.yaml": store });
  try {
    write(root, mutations);
    return (await checkContent(root)).filter(({ isWarning }) => !isWarning);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Why a shop with these files can't be built, or what nobody sees in its pages, other than what turns Arabic amounts. */
async function build(mutations: readonly Mutation[], store: string): Promise<string | undefined> {
  const root = copyWithContent({ ...shop, "store.yaml": store });
  try {
    write(root, mutations);
    const { dist } = await buildSite(root);
    const files = globSync("**/*.{html,md,json,xml,txt}", { cwd: dist, exclude: ["documents/**"] });
    const locale = /^locale: (\S+)$/m.exec(store)?.[1];
    const inAmounts = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(-1);
    const isMeant = (hidden: string) => /[\ufe00-\ufe0f]/.test(hidden) || inAmounts.includes(hidden);
    const unseen = files.flatMap((file) => {
      const text = readFileSync(join(dist, file), "utf8");
      const found = /(?![\t\n])\p{Cc}/u.exec(text) ?? text.match(HIDDEN)?.filter((each) => !isMeant(each));
      return found?.[0] ? [`${file} has U+${found[0].codePointAt(0)?.toString(16)}`] : [];
    });
    return unseen.length > 0 ? unseen.join(", ") : undefined;
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error).slice(-3000);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The first of some mutations with which a build fails, found by halves. */
async function findCulprit(mutations: readonly Mutation[], store: string): Promise<string> {
  const [first, ...others] = mutations;
  const failure = await build(mutations, store);
  if (failure === undefined || others.length === 0) return `${first?.what}: ${failure}`;
  const half = mutations.slice(0, mutations.length / 2);
  const failsThere = (await build(half, store)) !== undefined;
  return findCulprit(failsThere ? half : mutations.slice(half.length), store);
}

const names = ({ file, files }: Mutation) => [file, ...Object.keys(files)].map((path) => `content/${path}`);

type Errors = ReadonlyMap<string, readonly Problem[]>;

const errorsOf = async (mutations: readonly Mutation[]): Promise<Errors> =>
  Map.groupBy(await check(mutations), ({ file }) => file);

const isNamed = (mutation: Mutation, errors: Errors) => names(mutation).some((name) => errors.has(name));

const adviceOn = (mutations: readonly Mutation[], errors: Errors) =>
  mutations.flatMap((mutation) => follow(mutation, errors.get(`content/${mutation.file}`) ?? []));

const isSamePlace = (one: Problem, other: Problem) => one.file === other.file && one.line === other.line;

test(`of ${BATCHES * FILES} mutated files, none passes the check and fails the build, or shows what nobody sees; none is refused with the advice that the check gave`, async () => {
  const random = seededRandom(seedFor("site", "api/contract"));
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const seen = new Set<string>();
    const mutations: Mutation[] = [];
    while (mutations.length < FILES) {
      const made = await mutate(`m${mutations.length}x`, random);
      // Each mail is there once.
      if (!seen.has(made.file)) mutations.push(made);
      seen.add(made.file);
    }
    let wrong = await errorsOf(mutations);
    const passing = mutations.filter((mutation) => !isNamed(mutation, wrong));
    // Quotes may be needed first, and then another word.
    let followed = adviceOn(mutations, wrong);
    for (let round = 1; followed.length > 0 && round <= MOST_ADVICE; round += 1) {
      const before = followed;
      wrong = await errorsOf(before.map(({ mutation }) => mutation));
      passing.push(...before.flatMap(({ mutation }) => (isNamed(mutation, wrong) ? [] : mutation)));
      followed = adviceOn(
        before.map(({ mutation }) => mutation),
        wrong,
      ).filter(({ problem }) => before.some((each) => isSamePlace(each.problem, problem)));
    }
    expect(followed.map(({ mutation, problem }) => `${mutation.what}: ${formatProblem(problem)}`)).toEqual([]);
    let store = sellingStore;
    for (let tried = 0; tried < STORES; tried += 1) {
      const next = mutateStore(store, random);
      if ((await check([], next.text)).length === 0) store = next.text;
    }
    const inStore = await check(passing, store);
    const built = passing.filter(
      (mutation) =>
        !isNamed(
          mutation,
          Map.groupBy(inStore, ({ file }) => file),
        ),
    );
    const failure = await build(built, store);
    if (failure !== undefined) expect(`${await findCulprit(built, store)}\n${store}`).toBeUndefined();
  }
}, 3_600_000);
