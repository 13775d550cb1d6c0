import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { movedFiles } from "../../../site/finish/moved-pages.ts";
import { LONG, runNginx, type TestNginx } from "../run-nginx.ts";

let nginx: TestNginx;
/** Worker time that a request with any headers may take, in milliseconds. */
const BAR_MS = 0.3;
/** Worker time of a plain request on a quiet machine; measured 0.035 to 0.038 ms on the one that the bar was set on. */
const PLAIN_MS = 0.0375;
/**
 * How often a request is measured before it counts as too expensive. Other work on the machine adds to the time of some
 * and takes from none, so that the least is nearest to the truth.
 */
const MOST_TRIES = 40;
/** So many old addresses may a shop have. */
const OLD_ADDRESSES = Array.from({ length: 100_000 }, (_, index) => `/old/${index} /about\n`).join("");
const REDIRECTS = "from,to\n/?p=1&z=1,/about\n/many?p=1,/about\n/many?a&p=2,/about\n/many,/about\n";
const SITE = {
  "index.html": "<html>home",
  "about.html": `<html>${LONG.repeat(5)}`,
  "about.md": `# About ${LONG.repeat(5)}`,
  "404.html": "<html>nothing here",
  "404.md": "# Nothing here",
};
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  nginx = await runNginx({ ...SITE, ...Object.fromEntries(movedFiles(OLD_ADDRESSES, REDIRECTS, () => true)) });
});
afterAll(async () => {
  agent.destroy();
  await nginx.stop();
});

function ask(headers: Record<string, string | string[]>, path = "/about", to = nginx): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: to.port, host: "127.0.0.1", agent, path, headers, maxHeaderSize: 65_536 }, (answer) =>
      answer.resume().on("end", () => resolve(answer.statusCode)),
    );
    asked.on("error", reject).end();
  });
}

/** Worker time of a request in milliseconds: the mean of ten. */
async function cost(headers: Record<string, string | string[]>, path?: string, of = nginx): Promise<number> {
  const before = of.workerTimeMs();
  for (let i = 0; i < 10; i += 1) await ask(headers, path, of);
  return (of.workerTimeMs() - before) / 10;
}

/**
 * Measures a request until its least cost is below the bar, which is raised in proportion to the least that plain requests
 * beside it cost, on a slower machine. Returns both if it never was, and otherwise nothing.
 */
async function overTheBar(headers: Record<string, string | string[]>, path: string): Promise<string | undefined> {
  let [least, plain, bar] = [Infinity, Infinity, 0];
  for (let tries = 0; tries < MOST_TRIES && least >= bar; tries += 1) {
    plain = Math.min(plain, await cost({}));
    least = Math.min(least, await cost(headers, path));
    bar = BAR_MS * Math.max(1, plain / PLAIN_MS);
  }
  return least < bar ? undefined : `${least} ms, where ${bar} are allowed`;
}

/** `start`, then `unit` repeated up to `length` bytes, without a trailing comma. */
const filled = (length: number, start: string, unit: string) =>
  (start + unit.repeat((length - start.length) / unit.length)).replace(/,$/, "");

test.each([
  ["text/*,", "\xe9,"],
  ["text/*,", "a,"],
  ["text/*,", "*/*,"],
  ["text/*,", "*/*;,"],
  ["text/*,", '*/*,"",'],
  ["text/*,", "*/*;q=0.5,"],
  ["text/*,", 'text/markdown;charset="utf-8";variant="GFM",'],
  ["text/*,", 'text/html;a="\\a";'],
  ["text/markdown", "; "],
  ["text/markdown", "\t"],
  ["text/html,", "image/png,"],
  ["", "text/markdown;q=0.001,"],
  ["", "a,"],
])("Accept of '%s' and then repeated '%s' costs a worker at most 0.3 ms", async (start, unit) => {
  for (const length of [128, 384, 390, 2048, 8000]) {
    const headers = { Accept: filled(length, start, unit) };
    for (const path of ["/about", "/nowhere"]) expect(await overTheBar(headers, path)).toBeUndefined();
  }
});

test.each([
  ["Range", "bytes=", "0-0,"],
  ["Range", "bytes=", "1-2,4-5,"],
  ["Range", "bytes=", "-1,"],
  ["Range", "bytes=", "9999-,"],
  ["If-None-Match", "", '"a",'],
  ["If-None-Match", "", ","],
  ["If-Range", "", '"'],
  ["Accept-Encoding", "", "gzip;q=0,"],
  ["Accept-Encoding", "", "xgzip"],
  ["Accept-Encoding", "", "br;q=0,"],
  ["User-Agent", "", "\xff"],
  ["User-Agent", "", '"'],
  ["X-Forwarded-For", "", "127.0.0.1,"],
  ["X-Forwarded-Proto", "", "https"],
  ["Referer", "", "/"],
  ["Cookie", "", "a=b;"],
])("%s of '%s' and then repeated '%s' costs a worker at most 0.3 ms", async (name, start, unit) => {
  const headers = { [name]: filled(8000, start, unit) };
  for (const path of ["/about", "/nowhere"]) expect(await overTheBar(headers, path)).toBeUndefined();
});

test.each([
  ["a&", 1497],
  ["&", 1497],
  ["p=1&", 1497],
  ["%70=%31&", 1497],
  ["p=%ff+&", 1497],
  ["%", 7900],
  ["\xff", 4000],
  ["%\xff", 4000],
  ["%\xff", 7900],
])("a query of '%s' repeated up to %i bytes costs a worker at most 0.3 ms", async (unit, length) => {
  for (const path of ["/", "/many", "/many.md", "/nowhere"])
    expect(await overTheBar({}, `${path}?${filled(length, "", unit)}`)).toBeUndefined();
});

test.each([
  ["%3f", 2400, ".md"],
  ["%3f", 800, "/"],
  ["%c3%b6", 1200, ""],
])("a path of '%s' repeated %i times and '%s' costs a worker at most 0.3 ms", async (unit, times, end) => {
  expect(await overTheBar({}, `/%c3%b6${unit.repeat(times)}${end}`)).toBeUndefined();
});

test("with 100,000 old addresses, one of them and a missing page cost a worker at most 0.05 ms more than a missing page without", async () => {
  const without = await runNginx(SITE);
  for (const path of ["/old/99999", "/nowhere"]) {
    let [least, plain, missing] = [Infinity, Infinity, Infinity];
    const isOver = () => least >= missing + 0.05 * Math.max(1, plain / PLAIN_MS);
    for (let tries = 0; tries < MOST_TRIES && isOver(); tries += 1) {
      plain = Math.min(plain, await cost({}));
      missing = Math.min(missing, await cost({}, "/nowhere", without));
      least = Math.min(least, await cost({}, path));
    }
    expect(isOver() ? { path, least, missing } : undefined).toBeUndefined();
  }
  await without.stop();
});
