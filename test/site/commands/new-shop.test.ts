import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerBy, askShop } from "../../../site/commands/new-shop/answers.ts";
import { findCountry, findLocale, readPercent } from "../../../site/commands/new-shop/countries.ts";
import { withSetting } from "../../../site/commands/new-shop/env-file.ts";
import { ensureFree, makeShop } from "../../../site/commands/new-shop/shop-folder.ts";
import { checkContent } from "../../../site/content-check/check.ts";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { eventually } from "../../eventually.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { copyWorkspace } from "../../workspace.ts";
import { run } from "./new-command.ts";

let root = "";
let beside = "";
beforeAll(() => {
  root = copyWorkspace();
  beside = makeFolder("twinfront-new-shop-");
});
beforeEach(() => rmSync(join(root, ".env"), { force: true }));
afterAll(() => {
  for (const folder of [root, beside]) rmSync(folder, { recursive: true, force: true });
});

const german = ["--name", "Zünd & Söhne “Tee”: 100 %", "--country", "Österreich", "--email", "hallo@zuend.test"];
const phone = ["--phone", "+43 1 000 00 00"];

/** Runs `npm run new:shop` in the copy of the project, as npm does for a caller in `beside`. */
function newShop(args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["site/commands/new-shop.ts", ...args], {
    cwd: root,
    env: { ...bareEnvironment(), INIT_CWD: beside, ...env },
    encoding: "utf8",
  });
  return { code: status, said: stdout + stderr };
}

const git = (folder: string, ...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
const env = () => readFileSync(join(root, ".env"), "utf8");
const store = (folder: string) => parseShop(readFileSync(join(folder, "content", "store.yaml"), "utf8"));

test("a shop is made of options, in its country's language, currency and tax, and checks without an error", async () => {
  const folder = join(beside, "Tee it's “schön”");
  const { code, said } = newShop(["Tee it's “schön”", ...german, ...phone, "--prices", "with tax"]);
  expect([code, said]).toEqual([0, expect.stringContaining(`Made ${folder}, a Git repository`)]);
  expect(said.trim().split("\n").length).toBeLessThanOrEqual(8);
  expect(store(folder)).toMatchObject({
    ...{ name: "Zünd & Söhne “Tee”: 100 %", locale: "de-AT", currency: "EUR", prices_include_tax: true },
    tax: { name: "USt.", home: "AT", rates: { AT: "0.2" } },
    company: { legal_name: "Zünd & Söhne “Tee”: 100 %", street: "?", country_code: "AT" },
  });
  expect(readFileSync(join(folder, "content/pages/contact.md"), "utf8")).toContain("**Telefon**: +43 1 000 00 00");
  const problems = await checkContent(folder);
  expect(problems.filter(({ isWarning }) => !isWarning)).toEqual([]);
  const doubts = problems.map(({ file, message }) => `${file}: ${message}`).join("\n");
  expect(doubts).toContain("store.yaml: company, street is still `?`. Write it");
  expect(doubts).toContain("store.yaml: base_url http://127.0.0.1:8080 is this machine's.");
  expect(doubts).toContain("pages/terms.md: The text is still `?`");
});

test("the shop is a repository with one commit, by whoever Git knows, and .env is its owner's alone and leads there", () => {
  const folder = join(beside, "committed");
  const options = ["--name", "Tea", "--country", "uk", "--email", "a@tea.test", ...phone, "--tax-rate", "20"];
  expect(newShop([folder, ...options], { HOME: beside, GIT_CONFIG_NOSYSTEM: "1" }).code).toBe(0);
  expect(git(folder, "log", "--format=%an %ae %s")).toBe("Shop admin admin@localhost Begin the shop Tea");
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect([env(), statSync(join(root, ".env")).mode & 0o777]).toEqual([`CONTENT_ROOT=${folder}\n`, 0o600]);
  expect(store(folder)).toMatchObject({ locale: "en-GB", currency: "GBP", prices_include_tax: false });
  // Commands then read that shop.
  const check = spawnSync(process.execPath, ["site/commands/check-content.ts"], {
    ...{ cwd: root, env: bareEnvironment(), encoding: "utf8" },
  });
  expect([check.status, check.stderr]).toEqual([0, expect.stringContaining("base_url http://127.0.0.1:8080")]);
});

test("a language without texts of its own gets English ones, and is told so", async () => {
  const folder = join(beside, "svensk");
  const options = ["--name", "Te", "--country", "Sverige", "--email", "hej@te.test", ...phone];
  writeFileSync(join(root, ".env"), "PORT=8132\n");
  const { said } = newShop([folder, ...options, "--sells-to", "businesses", "--street", "Storgatan 1"]);
  expect(said).toContain("in English. Translate content/pages/");
  // The address that `npm start` will have.
  expect(said).toContain("shows it at http://127.0.0.1:8132\n");
  expect(store(folder).base_url).toBe("http://127.0.0.1:8132");
  expect(store(folder)).toMatchObject({ locale: "sv-SE", currency: "SEK", company: { street: "Storgatan 1" } });
  expect((await checkContent(folder)).filter(({ isWarning }) => !isWarning)).toEqual([]);
});

test.each([
  ["in the checkout", "content/../shop", "couldn't be upgraded. Name a folder beside it"],
  ["in the checkout by a link", "link/shop", "couldn't be upgraded. Name a folder beside it"],
  ["a file", "a-file", "is a file. Name a folder."],
  ["oddly named", "50% (new)", "has % in it, which a build would misread"],
  ["not empty", "full", "isn't empty. Name an empty folder"],
  ["a shop already", "shop", "is a shop already. To run it, write this line into .env: CONTENT_ROOT="],
])("a folder that is %s is refused", (_, name, sentence) => {
  mkdirSync(join(beside, "full"), { recursive: true });
  mkdirSync(join(beside, "shop/content"), { recursive: true });
  rmSync(join(beside, "link"), { force: true });
  symlinkSync(root, join(beside, "link"));
  for (const file of ["a-file", "full/a", "shop/content/store.yaml"]) writeFileSync(join(beside, file), "");
  expect(() => ensureFree(join(name.startsWith("content") ? root : beside, name), root)).toThrow(sentence);
});

test("where a shop can't be made, its folder is as it was: missing or empty", () => {
  const [missing, empty] = [join(beside, "no/shop"), join(beside, "empty")];
  mkdirSync(empty);
  const fail = (folder: string) => {
    writeFileSync(join(folder, "a"), "");
    throw new Error("No space left");
  };
  for (const folder of [missing, empty])
    expect(() => makeShop(folder, "Begin", fail)).toThrow(`${folder} can't be made: No space left`);
  expect([existsSync(missing), readdirSync(empty)]).toEqual([false, []]);
});

const valid = { name: "Tea", country: "DE", email: "a@tea.test", phone: "+49 30 000000", "tax-rate": "19" };

test.each([
  [{ phone: undefined }, "--phone is missing (Telephone, with the country code)\nNothing was written."],
  [{ phone: "none" }, `--phone: "none" can't be dialled`],
  [{ country: "Germny" }, "Did you mean `germany`?"],
  [{ "sells-to": "consumers" }, "Selling to consumers needs more by law"],
  [{ "sells-to": "aliens" }, "isn't one of businesses, consumers, both."],
  [{ "tax-rate": "200" }, "isn't a rate in percent"],
  [{ currency: "EUROS" }, "isn't a valid currency"],
  [{ language: "klingonish" }, "isn't a language"],
  [{ country: "US", "tax-rate": undefined }, "--tax-rate is missing"],
])("%j is refused", async (changed, sentence) => {
  await expect(askShop(answerBy({ ...valid, ...changed }, undefined), {})).rejects.toThrow(sentence);
});

test("where an option is wrong or missing, nothing is written", () => {
  const folder = join(beside, "refused");
  expect(newShop([folder, ...german])).toMatchObject({ code: 1, said: expect.stringContaining("--phone is missing") });
  expect([existsSync(folder), existsSync(join(root, ".env"))]).toEqual([false, false]);
});

test("CONTENT_REPOSITORY or a variable CONTENT_ROOT, which would win over .env, is named first", () => {
  writeFileSync(join(root, ".env"), "CONTENT_REPOSITORY=/srv/content.git\n");
  const folder = join(beside, "unseen");
  expect(newShop([folder, ...german, ...phone]).said).toContain("CONTENT_REPOSITORY is set, so this checkout builds");
  rmSync(join(root, ".env"));
  expect(newShop([folder, ...german, ...phone], { CONTENT_ROOT: root }).said).toContain("`unset CONTENT_ROOT`");
  expect(existsSync(folder)).toBe(false);
});

test("a person is asked, and Ctrl-C before the last answer writes nothing", async () => {
  const folder = join(beside, "asked");
  const command = `"${process.execPath}" site/commands/new-shop.ts "${folder}"`;
  const terminal = run(root, "script", ["-qec", command, "/dev/null"]);
  for (const [prompt, typed] of [
    ["Name of the shop: ", "Tee\r"],
    ["its name or code: ", "Deutschland\r"],
    ["Currency of its prices [EUR]: ", "\r"],
    ["its name or tag [de-DE]: ", "\r"],
    ["Whom it sells to [businesses]: ", "3\r"],
    ["isn't possible. Selling to consumers", "\r"],
    ["Standard rate of tax there, in percent (0 if there is none) [19]: ", "\u0003"],
  ] as const) {
    await eventually(() => expect(terminal.said).toContain(prompt));
    terminal.stdin.write(typed);
  }
  expect(await terminal.code).toBe(130);
  expect(terminal.said).toContain("Nothing was written.");
  expect([existsSync(folder), existsSync(join(root, ".env"))]).toEqual([false, false]);
});

test("--from content takes over a shop that was in the checkout, with its history and its database", () => {
  const commit = (subject: string) =>
    git(root, "-c", "user.name=Ann", "-c", "user.email=ann@shop.test", "commit", "-qm", subject);
  git(root, "init", "-q");
  git(root, "add", "content", "package.json");
  commit("Our shop");
  mkdirSync(join(root, ".data"), { recursive: true });
  writeFileSync(join(root, "content/pages/unsaved.md"), "---\n---\n");
  const folder = join(beside, "taken");
  try {
    expect(newShop([folder, "--from", "content"])).toMatchObject({ code: 0 });
    expect(git(folder, "log", "--format=%s", "--", "content/store.yaml")).toBe("Our shop");
    expect(git(folder, "log", "--format=%s")).toBe("Take over the shop\nOur shop");
    expect(readdirSync(folder).sort()).toEqual([".git", ".gitignore", "content"]);
    expect(existsSync(join(folder, "content/pages/unsaved.md"))).toBe(true);
    expect(parseEnv(env())).toEqual({ CONTENT_ROOT: folder, DATA_DIR: ".data" });
    const older = join(beside, "older");
    git(beside, "clone", "-q", root, older);
    const moved = join(beside, "moved");
    expect(newShop([moved, "--from", join(older, "content")])).toMatchObject({ code: 0 });
    expect(git(moved, "log", "--format=%s")).toBe("Take over the shop\nOur shop");
    expect(parseEnv(env())).toEqual({ CONTENT_ROOT: moved, DATA_DIR: ".data" });
    expect(newShop([join(beside, "none"), "--from", "nowhere"]).said).toContain("--from nowhere has no store.yaml");
  } finally {
    for (const made of [".git", ".data", "content/pages/unsaved.md"]) rmSync(join(root, made), { recursive: true });
  }
});

test("a setting is changed in its place, and all other lines of .env stay as they are", () => {
  const lines = "# mine\nPORT=8081\nexport CONTENT_ROOT=/old\n#CONTENT_ROOT=/no\nHOST=::\nCONTENT_ROOT=/older";
  expect(withSetting(lines, "CONTENT_ROOT", "/new")).toBe(
    "# mine\nPORT=8081\nCONTENT_ROOT=/new\n#CONTENT_ROOT=/no\nHOST=::\n",
  );
  expect(withSetting("PORT=8081", "CONTENT_ROOT", "/new")).toBe("PORT=8081\nCONTENT_ROOT=/new\n");
  for (const path of ["/with blank", "/it's", '/a "b"', "/#1", "/back\\nslash", "/größe $HOME", "/a`b'c"])
    expect(parseEnv(withSetting("A=1\n", "CONTENT_ROOT", path) ?? "")).toEqual({ A: "1", CONTENT_ROOT: path });
  expect(withSetting("", "CONTENT_ROOT", "/'\"`#")).toBeUndefined();
});

test("countries, languages and rates are understood as people write them", () => {
  expect(["de", "Germany", "deutschland", "UK", "Côte d’Ivoire", "schweiz", "XI"].map(findCountry)).toEqual([
    ...["DE", "DE", "DE", "GB", "CI", "CH", undefined],
  ]);
  const locales = ["german", "Deutsch", "de", "de-AT", "en-gb", "français", "klingonish", "?"];
  expect(locales.map((each) => findLocale(each, "CH"))).toEqual([
    ...["de-CH", "de-CH", "de-CH", "de-AT", "en-GB", "fr-CH", undefined, undefined],
  ]);
  expect(["19", "25.5", "8,1 %", "0", "7.5%", "100", "-1", "x"].map(readPercent)).toEqual([
    ...["0.19", "0.255", "0.081", "0", "0.075", undefined, undefined, undefined],
  ]);
});

test("a folder is named from where the command was called, or from one's home", () => {
  expect(newShop(["~/from-home", ...german, ...phone], { HOME: beside }).code).toBe(0);
  expect(newShop(["here/deeper", ...german, ...phone]).code).toBe(0);
  for (const name of ["from-home", "here/deeper"])
    expect(existsSync(join(beside, name, "content/store.yaml"))).toBe(true);
});
