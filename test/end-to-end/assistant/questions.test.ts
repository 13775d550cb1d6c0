import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openAssistantFile } from "../../../api/assistant/answers/assistant-file.ts";
import { openSpeech } from "../../../api/assistant/answers/speech.ts";
import { findAdvice } from "../../../api/assistant/tools/find-advice.ts";
import { openSearch } from "../../../api/people/search/search.ts";
import { openBuilds } from "../../../api/platform/private-pages/builds.ts";

/** The rows of questions.tsv, whose first lines say what the columns are. */
const questions = readFileSync(join(import.meta.dirname, "../../api/assistant/questions.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [question = "", wanted = ""] = line.split("\t");
    return { question, wanted: wanted.split("|") };
  });

/** Questions that are answered by another page. One that isn't any longer is taken from this list. */
const MISSED = ["which languages do you speak", "who do you share my address with?", "where are you based"];

test("of 86 plain questions all but these three are answered by the right page and passage, or by not being sure", async () => {
  const builds = openBuilds(join(inject("dist"), ".session"));
  const log = { info: () => {}, error: () => {} };
  const [search, facts] = [openSearch(builds, log), openAssistantFile(builds, log)];
  const speech = await openSpeech(builds, log).current();
  const ask = async (query: string) => {
    // It needs neither a database nor to know who asks.
    const context = { search, facts, speech } as Parameters<typeof findAdvice.call>[0];
    const { result, say } = await findAdvice.call(context, { query });
    const { passages, instead } = result as { passages: { url: string }[]; instead: string | null };
    const found = passages.map(({ url }) => url.replace("https://shop.example", ""));
    return { found: found.length > 0 ? found : [instead ?? "not sure"], say };
  };
  const missed: string[][] = [];
  for (const { question, wanted } of questions) {
    const { found, say } = await ask(question);
    const [named = ""] = found;
    const isPage = wanted.some((each) => pageOf(each) === pageOf(named));
    if (!isPage || !wanted.some((each) => found.some((path) => isMeant(each, path)))) missed.push([question, ...found]);
    expect(say.includes("I’m not sure")).toBe(named === "not sure");
  }
  expect(questions.length).toBe(86);
  expect(
    missed.map(([question]) => question),
    JSON.stringify(missed),
  ).toEqual(MISSED);
});

const pageOf = (path: string) => path.split("#", 1)[0];

/** Whether a wanted address, in which `*` stands for anything, is that of a passage. */
const isMeant = (wanted: string, path: string) => new RegExp(`^${wanted.replaceAll("*", ".*")}$`).test(path);
