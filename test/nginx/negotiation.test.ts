import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS, RULES, randomHeaders } from "./accept-headers.ts";
import { referenceFace } from "./accept-reference.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

let nginx: TestNginx;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

beforeAll(async () => {
  nginx = await runNginx({ "index.html": "<html>", "index.md": "# Home" });
});
afterAll(async () => {
  agent.destroy();
  await nginx.stop();
});

/** What the map, and what the function alone, says to a header. */
function ask(accept: string | undefined): Promise<{ map: string; rule: string }> {
  const headers = accept === undefined ? {} : { accept };
  return new Promise((resolve, reject) => {
    const asked = request({ port: nginx.facesPort, host: "127.0.0.1", agent, headers }, (answer) => {
      let body = "";
      answer.setEncoding("latin1").on("data", (chunk: string) => {
        body += chunk;
      });
      answer.on("end", () => {
        const [map = "", rule = ""] = body.split(" ");
        resolve({ map, rule });
      });
    });
    asked.on("error", reject).end();
  });
}

test.each(CLIENTS)("%s gets its face for %s", async (_client, accept, face) => {
  expect(await ask(accept)).toEqual({ map: face, rule: face });
});

test.each(RULES)("Accept: %s gets %s", async (accept, face) => {
  expect(await ask(accept)).toEqual({ map: face, rule: face });
  expect(referenceFace(accept)).toBe(face);
});

test("a request without Accept gets HTML", async () => {
  expect(await ask(undefined)).toEqual({ map: "html", rule: "html" });
});

test("map, function and RFC 9110 agree on more than 10,000 headers", async () => {
  const headers = [...new Set(randomHeaders(13_000, 20261120))];
  expect(headers.length).toBeGreaterThan(10_000);
  const wrong: object[] = [];
  const queue = [...headers];
  const work = async () => {
    for (let accept = queue.pop(); accept !== undefined; accept = queue.pop()) {
      const said = await ask(accept);
      const reference = referenceFace(accept);
      if (said.map !== reference || said.rule !== reference) wrong.push({ accept, ...said, reference });
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(wrong).toEqual([]);
}, 60_000);
