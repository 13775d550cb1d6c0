import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { headerLines } from "../raw-request.ts";
import { runNginx, type TestNginx } from "../run-nginx.ts";
import { CLIENTS, RULES } from "./accept-cases.ts";
import { referenceFace } from "./accept-reference.ts";
import { randomHeaders } from "./random-accept-headers.ts";

let nginx: TestNginx;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  nginx = await runNginx({ "index.html": "<html>", "index.md": "# Home" });
});
afterAll(async () => {
  agent.destroy();
  await nginx.stop();
});

/** The shop's face for a header, the function's, and the map's. */
function ask(accept: string | undefined): Promise<{ face: string; rule: string; map: string }> {
  const headers = accept === undefined ? {} : { accept };
  return new Promise((resolve, reject) => {
    const asked = request({ port: nginx.facesPort, host: "127.0.0.1", agent, headers }, (answer) => {
      let body = "";
      answer.setEncoding("latin1").on("data", (chunk: string) => {
        body += chunk;
      });
      answer.on("end", () => {
        const [face = "", rule = "", map = ""] = body.split(" ");
        resolve({ face, rule, map });
      });
    });
    asked.on("error", reject).end();
  });
}

/** The Content-Type that the home page has for a header. */
async function typeFor(accept: string): Promise<string | undefined> {
  return headerLines(await nginx.get("/", { Accept: accept }), "content-type")[0];
}

const TYPES = { html: "text/html; charset=utf-8", md: "text/markdown; charset=utf-8" };

test.each(CLIENTS)("%s gets its face for %s, by the map alone", async (_client, accept, face) => {
  expect(await ask(accept)).toEqual({ face, rule: face, map: face });
  expect(await typeFor(accept)).toBe(TYPES[face]);
});

test.each(RULES)("Accept: %s gets %s", async (accept, face) => {
  expect(await ask(accept)).toMatchObject({ face, rule: face });
  expect(referenceFace(accept)).toBe(face);
  expect(await typeFor(accept)).toBe(TYPES[face]);
});

test("a request without Accept gets HTML", async () => {
  expect(await ask(undefined)).toEqual({ face: "html", rule: "html", map: "html" });
});

test("an Accept header of 384 bytes is read, and a longer one counts as absent", async () => {
  const filled = (length: number) => `text/markdown${",image/png".repeat(40)}`.slice(0, length);
  expect(await ask(filled(384))).toMatchObject({ face: "md", rule: "md" });
  expect(await ask(filled(385))).toEqual({ face: "html", rule: "html", map: "html" });
  expect(await typeFor(filled(384))).toBe(TYPES.md);
  expect(await typeFor(filled(385))).toBe(TYPES.html);
});

test("map, function and RFC 9110 agree on more than 10,000 headers", async () => {
  const short = randomHeaders(13_000, 20261120);
  const long = Array.from({ length: 600 }, (_, i) =>
    short
      .slice(6 * i, 6 * i + 6)
      .join(",")
      .slice(0, 384)
      .trim(),
  );
  const headers = [...new Set([...short, ...long])];
  expect(headers.length).toBeGreaterThan(10_000);
  const wrong: object[] = [];
  let decidedByMap = 0;
  const queue = [...headers];
  const work = async () => {
    for (let accept = queue.pop(); accept !== undefined; accept = queue.pop()) {
      const answer = await ask(accept);
      const reference = referenceFace(accept);
      if (answer.map !== "undecided") decidedByMap += 1;
      if (answer.face !== reference || answer.rule !== reference) wrong.push({ accept, ...answer, reference });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(wrong).toEqual([]);
  // Ensures that the comparison covers the map.
  expect(decidedByMap).toBeGreaterThan(2_000);
});
