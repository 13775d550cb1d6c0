import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../programs.ts";
import { localUrl } from "./ports.ts";
import { seconds, step } from "./report.ts";
import type { ApiEnvironment } from "./services.ts";
import type { Session } from "./session.ts";

const started = performance.now();

/** Has one last look at the running shop, and says where it is. */
export async function announceShop({ settings, folder }: Session, env: ApiEnvironment): Promise<void> {
  const url = localUrl(settings);
  const product = await step("probe", () => probeShop(url, env.ERP_PULL_API_TOKEN));
  // The token made here is for this machine and shown on purpose; a token of one's own is a secret, to be put into TOKEN.
  const token = settings.token ? "$TOKEN" : env.ERP_PULL_API_TOKEN;
  printReady({ url, product, token, kept: folder.path });
}

/** The closing lines: where the shop is, and one command each to paste. `product` is the path of a page. */
function printReady({
  url,
  product,
  token,
  kept,
}: {
  url: string;
  product: string;
  token: string;
  kept: string;
}): void {
  console.log(`
Ready in ${seconds(started)}.

  Shop         ${url}
  For agents   ${url}/llms.txt
  Partners     ${url}/developers

As a visitor   curl '${url}${product}'
As an agent    curl -H 'Accept: text/markdown' '${url}${product}'
As a partner   curl -H "Authorization: Bearer ${token}" '${url}/api/orders?limit=2'

Ctrl-C stops everything. Data and logs stay in ${kept}.
`);
}

/**
 * Asks the running shop for what its people ask: a page in both faces, and orders with the token. What is restarting,
 * or busy, is asked again for `timeoutMs`. Returns the path of a product page as an example. Throws StartError naming
 * what did not answer as it should.
 */
export async function probeShop(
  url: string,
  tokens: string,
  timeoutMs = 30_000,
): Promise<{ summary: string; value: string }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const sitemap = await expectAnswer(`${url}/sitemap.xml`, {}, "200", timeout);
  const product = /<loc>[^<]*?(\/products\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "/";
  await expectAnswer(`${url}${product}`, { accept: "text/html" }, "200 and text/html", timeout);
  await expectAnswer(`${url}${product}`, { accept: "text/markdown" }, "200 and text/markdown", timeout);
  const [token = ""] = tokens.split(",");
  const authorization = `Bearer ${token}`;
  await expectAnswer(`${url}/api/orders?limit=1`, { authorization }, "200 and application/json", timeout);
  return { summary: "HTML, Markdown and orders answer", value: product };
}

/** Asks until the answer is neither a failure of the server nor none at all, or timeout has run out; returns its text. */
async function expectAnswer(
  url: string,
  headers: Record<string, string>,
  expected: string,
  timeout: AbortSignal,
): Promise<string> {
  let actual = "nothing";
  for (;;) {
    let status = 0;
    try {
      const answer = await fetch(url, { headers, signal: timeout });
      const text = await answer.text();
      ({ status } = answer);
      actual = `${status} and ${answer.headers.get("content-type") ?? "no type"}`;
      if (actual.startsWith(expected)) return text;
    } catch (error) {
      if (!timeout.aborted) actual = `nothing (${describe(error)})`;
    }
    if (timeout.aborted || (status > 0 && status < 500)) break;
    await sleep(200);
  }
  throw new StartError(`${url} should have answered ${expected}, and answered ${actual}.`);
}

/** fetch says only that it failed; its cause says why. */
function describe(error: unknown): string {
  const { cause = error } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}
