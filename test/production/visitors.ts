import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface Visitors {
  /** Requests that were answered or failed so far. */
  requests(): number;
  /** What went wrong, one line each. */
  failures: string[];
  /** Pages whose style sheet didn't come. */
  unstyled: string[];
  /** The shared style sheets that pages named first, oldest first. */
  sheets: Set<string>;
  /** Resolves once all have left. */
  leave(): Promise<void>;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * Lets `count` visitors walk through the shop at `url`, one request after another each: a page with its style sheet, its
 * Markdown, and as a partner an order. A page that has moved is followed. Beyond `quota()` requests they take their time, to
 * leave the processor to others.
 */
export function sendVisitors(
  count: number,
  { url, token }: { url: string; token: string },
  paths: readonly string[],
  quota: () => number,
): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const failures: string[] = [];
  const unstyled: string[] = [];
  const sheets = new Set<string>();
  let requests = 0;
  let isOver = false;

  function get(path: string, headers: Record<string, string>): Promise<Answer> {
    requests += 1;
    return new Promise((resolve) => {
      const fail = (error: Error) => resolve({ status: 0, headers: {}, body: error.message });
      const asked = request(`${url}${path}`, { agent, headers }, (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
        answer.on("error", fail);
      });
      asked.on("error", fail).end();
    });
  }

  async function expectAnswer(path: string, headers: Record<string, string>, type: string): Promise<Answer> {
    const answer = await get(path, headers);
    const { location } = answer.headers;
    if (answer.status === 301 && location) return expectAnswer(location, headers, type);
    if (answer.status !== 200 || !answer.headers["content-type"]?.startsWith(type))
      failures.push(`${path}: ${answer.status} ${answer.body.slice(0, 100)}`);
    return answer;
  }

  async function visit(path: string): Promise<void> {
    const { body } = await expectAnswer(path, { accept: "text/html" }, "text/html");
    const named = [...body.matchAll(/<link[^>]* href="(\/_astro\/[^"]+\.css)"/g)].map(([, sheet = ""]) => sheet);
    const [shared] = named;
    if (shared === undefined) unstyled.push(path);
    else sheets.add(shared);
    for (const sheet of named) {
      const before = failures.length;
      await expectAnswer(sheet, { accept: "text/css" }, "text/css");
      if (failures.length > before) unstyled.push(`${path}: ${sheet}`);
    }
    await expectAnswer(path, { accept: "text/markdown" }, "text/markdown");
    await expectAnswer("/api/orders?limit=1", { authorization: `Bearer ${token}` }, "application/json");
  }

  async function walk(first: number): Promise<void> {
    for (let index = first; !isOver; index += 1) {
      await visit(paths[index % paths.length] ?? "/");
      if (requests > quota()) await sleep(100);
    }
  }

  const walks = Array.from({ length: count }, (_, index) => walk(index));
  return {
    requests: () => requests,
    failures,
    unstyled,
    sheets,
    async leave() {
      isOver = true;
      await Promise.all(walks);
      agent.destroy();
    },
  };
}
