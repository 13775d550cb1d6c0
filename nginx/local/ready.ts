import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../programs.ts";
import { askNginx, describePage, type OwnNginx } from "./own-nginx.ts";
import { localUrl } from "./ports.ts";
import { seconds, step } from "./report.ts";
import type { ShopRun } from "./run.ts";
import type { ApiEnvironment } from "./services.ts";

const started = performance.now();

/**
 * Checks the running shop and prints its URLs; `editors` is where they write. Throws StartError if something doesn't answer
 * as it should.
 */
export async function announceShop(
  { settings, folder }: ShopRun,
  env: ApiEnvironment,
  editors?: string,
): Promise<void> {
  const url = localUrl(settings);
  const product = await step("probe", () => probeShop({ url }, env.ERP_PULL_API_TOKEN));
  // A generated token is only for this machine, so it is shown; ERP_PULL_API_TOKEN is a secret.
  const token = settings.token ? "$TOKEN" : env.ERP_PULL_API_TOKEN;
  const mails = env["MAIL_FOLDER"] && describeMails(env["MAIL_FOLDER"], url, env.BASE_URL);
  printReady({ url, product, token, dataDir: folder.path, mails, cards: describeCards(env, url), editors });
}

/** Stripe can't reach this machine from outside. */
const describeCards = ({ STRIPE_SECRET_KEY: key }: ApiEnvironment, url: string) =>
  key &&
  `by Stripe${key.includes("_test_") ? ", in test mode" : ""}; its events come here by\n               stripe listen --forward-to ${url}/api/payments/stripe`;

/** Links in mails lead to the shop's public address, which usually isn't this machine. */
const describeMails = (mailFolder: string, url: string, baseUrl: string) =>
  `${mailFolder}, as files: SMTP_URL sends them${url === baseUrl ? "" : `\n               Their links lead to ${baseUrl}: with BASE_URL=${url} they lead here`}`;

/** `product` is the path of a page, for the examples. */
function printReady({
  url,
  product,
  token,
  dataDir,
  mails,
  cards,
  editors,
}: {
  url: string;
  product: string;
  token: string;
  dataDir: string;
  mails: string | undefined;
  cards: string | undefined;
  editors: string | undefined;
}): void {
  console.log(`
Ready in ${seconds(started)}.

  Shop         ${url}
  For agents   ${url}/llms.txt
  Partners     ${url}/developers${mails ? `\n  Mails        ${mails}` : ""}${cards ? `\n  Cards        ${cards}` : ""}${editors ? `\n  Editors      ${editors}` : ""}

As a visitor   curl '${url}${product}'
As an agent    curl -H 'Accept: text/markdown' '${url}${product}'
As a partner   curl -H "Authorization: Bearer ${token}" '${url}/api/orders?limit=2'

Ctrl-C stops everything. Data and logs stay in ${dataDir}.
`);
}

/**
 * Requests a product page in both faces, and orders with the first of `tokens`; without a token, only whether the API answers.
 * Retries for `timeoutMs` while nothing or a 5xx answers. Returns the path of the product page. Throws StartError naming the
 * wrong answer.
 */
export async function probeShop(
  nginx: OwnNginx,
  tokens: string | undefined,
  timeoutMs = 120_000,
): Promise<{ summary: string; value: string }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const sitemap = await expectAnswer(nginx, "/sitemap.xml", {}, "200", timeout);
  const product = /<loc>[^<]*?(\/products\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "/";
  await expectAnswer(nginx, product, { accept: "text/html" }, "200 and text/html", timeout);
  await expectAnswer(nginx, product, { accept: "text/markdown" }, "200 and text/markdown", timeout);
  const [token] = tokens?.split(",") ?? [];
  const path = token ? "/api/orders?limit=1" : "/api/erp/status";
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  await expectAnswer(nginx, path, headers, "200 and application/json", timeout);
  return { summary: `HTML, Markdown and ${token ? "orders" : "the API"} answer`, value: product };
}

/** Retries until the answer isn't a 5xx or `timeout` aborts. `expected` is the start of "STATUS and TYPE". Returns the body. */
async function expectAnswer(
  nginx: OwnNginx,
  path: string,
  headers: Record<string, string>,
  expected: string,
  timeout: AbortSignal,
): Promise<string> {
  let actual = "nothing";
  for (;;) {
    let status = 0;
    try {
      const answer = await askNginx(nginx, path, headers, timeout);
      ({ status } = answer);
      actual = `${status} and ${answer.type || "no type"}`;
      if (actual.startsWith(expected)) return answer.body;
    } catch (error) {
      if (!timeout.aborted) actual = `nothing (${error instanceof Error ? error.message : error})`;
    }
    if (timeout.aborted || (status > 0 && status < 500)) break;
    await sleep(200);
  }
  throw new StartError(`${describePage(nginx, path)} should have answered ${expected}, but answered ${actual}.`);
}
