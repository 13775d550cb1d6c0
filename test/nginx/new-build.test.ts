import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "./raw-request.ts";
import { LONG, runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "about.html": `<html>before ${LONG}`,
    "about.md": `# Before ${LONG}`,
    "gone.html": "<html>gone",
    "gone.md": "# Gone",
  });
});
afterAll(() => nginx.stop());

const REQUESTS = ["text/html", "text/markdown"].flatMap((Accept) =>
  ["identity", "br", "gzip"].map((encoding) => ({ Accept, "Accept-Encoding": encoding })),
);

/** Status and ETag of a page in both faces and every encoding, asked for so often that every worker of nginx is. */
async function ask(path: string): Promise<string[]> {
  const answers: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    for (const headers of REQUESTS) {
      const answer = await nginx.get(path, headers);
      answers.push(`${answer.status} ${headerLines(answer, "etag")[0]}`);
    }
  }
  return answers;
}

test("files that are kept open are those of the last build, and pages that it has not are gone, a second later", async () => {
  const before = new Set(await ask("/about"));
  expect(before.size).toBe(REQUESTS.length);
  expect(new Set(await ask("/gone"))).not.toContainEqual(expect.stringMatching(/^404/));
  expect(new Set(await ask("/new"))).not.toContainEqual(expect.stringMatching(/^200/));
  nginx.replaceSite({
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "about.html": `<html>after ${LONG}`,
    "about.md": `# After ${LONG}`,
    "new.html": "<html>new",
    "new.md": "# New",
  });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const after = new Set(await ask("/about"));
  expect(after.size).toBe(REQUESTS.length);
  expect([...after].filter((answer) => before.has(answer) || !answer.startsWith("200"))).toEqual([]);
  expect(new Set(await ask("/gone"))).not.toContainEqual(expect.stringMatching(/^200/));
  expect(new Set(await ask("/new"))).not.toContainEqual(expect.stringMatching(/^404/));
});
