// Asks for pages, over a new connection each time: `node visit.ts COUNT URL…`. Prints as JSON how often
// each answer came, a status or an error's code, and the milliseconds that the answers took, in order.
import { once } from "node:events";
import { request as overHttp } from "node:http";
import { request as overTls } from "node:https";

const [count, ...urls] = process.argv.slice(2);
const answers: Record<string, number> = {};
const milliseconds: number[] = [];

async function ask(url: string): Promise<string> {
  const request = url.startsWith("https:") ? overTls : overHttp;
  const asked = request(url, { agent: false, rejectUnauthorized: false, timeout: 20_000 });
  asked.once("timeout", () => asked.destroy(Object.assign(new Error(), { code: "no answer" })));
  const [answer] = await once(asked.end(), "response");
  await answer.toArray();
  return String(answer.statusCode);
}

for (let turn = 0; turn < Number(count); turn += 1)
  await Promise.all(
    urls.map(async (url) => {
      const began = performance.now();
      const answer = await ask(url).catch(({ code }) => String(code));
      answers[answer] = (answers[answer] ?? 0) + 1;
      milliseconds.push(Math.round(performance.now() - began));
    }),
  );
console.log(JSON.stringify({ answers, milliseconds: milliseconds.sort((a, b) => a - b) }));
