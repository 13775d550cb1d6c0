import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { StripeAccount, StripeRefusal } from "./account.ts";
import { showPage, usePage } from "./hosted-page.ts";
import { type Answer, IdempotencyKeys } from "./idempotency.ts";
import { type Parameters, parseParameters, readAmount, readMetadata, readPageRequest, text } from "./parameters.ts";
import { deliver, type Flaw, makeEvent, type StripeEvent, type WebhookTarget } from "./webhook.ts";

export type Operation = "create" | "retrieve" | "find" | "expire" | "list refunds" | "refund";

/** Before it looks at the idempotency key, before it does what was asked, or after that and before it answers. */
type Moment = "received" | "begun" | "done";

/** Cuts the connection, never answers, or answers with a status. */
type Interruption = "cut" | "hang" | 400 | 401 | 429 | 500;

type Interrupt = (operation: Operation, moment: Moment) => Promise<Interruption | undefined> | Interruption | undefined;

export const secretKey = "sk_test_0123456789abcdef";
export const webhookSecret = "whsec_0123456789abcdef";

/** Starts a stand-in for Stripe, which is stopped after the test, or by `onEnd`. Tests set `target` and `interrupt`. */
export async function startStripe(onEnd: (close: () => void) => void = onTestFinished) {
  const keys = new IdempotencyKeys();
  const events: StripeEvent[] = [];
  const failures: { operation: Operation; moment: Moment; interruption: Interruption }[] = [];
  const account: StripeAccount = new StripeAccount(
    (type, object) => {
      const event = makeEvent(type, object);
      events.push(event);
      standIn.onEvent(event);
    },
    () => standIn.url,
  );
  const standIn = {
    url: "",
    account,
    /** All that happened, the oldest first. */
    events,
    /** What it was asked, the oldest first. */
    asked: [] as Operation[],
    /** Called for each event as it happens; nothing is delivered by itself. */
    onEvent: (_event: StripeEvent): void => {},
    /** Where events go. */
    target: (async () => 0) as WebhookTarget,
    interrupt: (() => undefined) as Interrupt,
    /** What it sends instead of an answer; undefined: the answer. */
    distort: (() => undefined) as (operation: Operation, answer: Answer) => string | undefined,
    /** Interrupts the next such request, and its repetition: Stripe's client sends a request that was cut again. */
    failNext(operation: Operation, moment: Moment, interruption: Interruption): void {
      failures.push({ operation, moment, interruption });
      if (interruption === "cut") failures.push({ operation, moment: "received", interruption });
    },
    /** Delivers an event once; returns the status of the answer. */
    deliver: (event: StripeEvent, flaw: Flaw = {}): Promise<number> =>
      deliver(standIn.target, event, { secret: webhookSecret, ...flaw }),
  };

  async function findInterruption(operation: Operation, moment: Moment): Promise<Interruption | undefined> {
    const at = failures.findIndex((each) => each.operation === operation);
    if (failures[at]?.moment !== moment) return standIn.interrupt(operation, moment);
    return failures.splice(at, 1)[0]?.interruption;
  }

  async function answer(request: IncomingMessage): Promise<Answer & { text: string }> {
    const { pathname, searchParams } = new URL(request.url ?? "", standIn.url);
    const body = await readText(request);
    const parameters = parseParameters(request.method === "POST" ? body : String(searchParams));
    const found = findOperation(account, `${request.method} ${pathname}`, parameters);
    if (!found) throw new StripeRefusal(404, "", `Unrecognized request URL (${request.method}: ${pathname}).`);
    if (request.headers.authorization !== `Bearer ${secretKey}`) throw new StripeRefusal(401, "", "Invalid API Key.");
    const { operation, work } = found;
    standIn.asked.push(operation);
    const first = await findInterruption(operation, "received");
    if (first !== undefined && first !== 500) throw new Interrupted(first);
    let after: Interruption | undefined;
    const key = request.method === "POST" ? request.headers["idempotency-key"] : undefined;
    const result = await keys.once(typeof key === "string" ? key : undefined, `${pathname} ${body}`, async () => {
      const before = await findInterruption(operation, "begun");
      if (before !== undefined && before !== 500) throw new Interrupted(before);
      const done = first === 500 || before === 500 ? undefined : { status: 200, body: work() };
      after = await findInterruption(operation, "done");
      // Stripe keeps a 500 as the answer to the key, although it may have done what was asked.
      return done && after !== 500 ? done : { status: 500, body: describe("api_error", "", "Something went wrong.") };
    });
    if (after !== undefined && after !== 500) throw new Interrupted(after);
    return { ...result, text: standIn.distort(operation, result) ?? JSON.stringify(result.body) };
  }

  async function showToCustomer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = new URL(request.url ?? "", standIn.url).pathname.slice("/pay/".length);
    const chosen = request.method === "POST" ? new URLSearchParams(await readText(request)).get("action") : undefined;
    const next = chosen === undefined ? { html: showPage(account.session(id)) } : usePage(account, id, chosen);
    if ("location" in next) response.writeHead(303, { location: next.location }).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(next.html);
  }

  const server = createServer(async (request, response) => {
    try {
      if (request.url?.startsWith("/pay/")) return await showToCustomer(request, response);
      const { status, text } = await answer(request);
      send(response, status, text);
    } catch (error) {
      if (error instanceof Interrupted) return endBadly(response, error.interruption);
      if (!(error instanceof StripeRefusal)) throw error;
      const type = error.code === "idempotency_error" ? "idempotency_error" : "invalid_request_error";
      send(response, error.status, JSON.stringify(describe(type, error.code, error.message)));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}

/** A request that isn't answered as it should be. A 500 is kept under its key, so it's an answer. */
class Interrupted extends Error {
  readonly interruption: Exclude<Interruption, 500>;

  constructor(interruption: Exclude<Interruption, 500>) {
    super(String(interruption));
    this.interruption = interruption;
  }
}

function endBadly(response: ServerResponse, interruption: Exclude<Interruption, 500>): void {
  if (interruption === "cut") response.socket?.resetAndDestroy();
  else if (interruption !== "hang")
    send(response, interruption, JSON.stringify(describe("invalid_request_error", "", "Not now.")));
}

const describe = (type: string, code: string, message: string) => ({ error: { type, ...(code && { code }), message } });

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_0123456789" });
  response.end(text);
}

/** What a request asks for; undefined for an unknown one. */
function findOperation(
  account: StripeAccount,
  request: string,
  parameters: Parameters,
): { operation: Operation; work: () => object } | undefined {
  const list = (url: string, data: readonly object[]) => ({ object: "list", url, has_more: false, data });
  if (request === "POST /v1/checkout/sessions")
    return { operation: "create", work: () => account.open(readPageRequest(parameters)) };
  if (request === "GET /v1/checkout/sessions")
    return {
      operation: "find",
      work: () => list("/v1/checkout/sessions", account.sessionsOf(text(parameters, "payment_intent"))),
    };
  if (request === "GET /v1/refunds")
    return {
      operation: "list refunds",
      work: () => list("/v1/refunds", account.refundsOf(text(parameters, "payment_intent"))),
    };
  if (request === "POST /v1/refunds")
    return {
      operation: "refund",
      work: () => {
        const amount = parameters["amount"] === undefined ? {} : { amount: readAmount(parameters, "amount") };
        const reason = parameters["reason"] === undefined ? null : text(parameters, "reason");
        if (reason !== null && reason !== "duplicate" && reason !== "fraudulent" && reason !== "requested_by_customer")
          throw new StripeRefusal(400, "parameter_invalid", "Invalid reason");
        const metadata = readMetadata(parameters);
        const given = { ...amount, reason, metadata, status: account.refundStatus };
        return account.refund(text(parameters, "payment_intent"), given);
      },
    };
  const [, id = "", action] = /^(?:GET|POST) \/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(request) ?? [];
  if (id && action && request.startsWith("POST")) return { operation: "expire", work: () => account.expire(id) };
  const { expand } = parameters;
  const paths = typeof expand === "object" ? Object.values(expand).filter((path) => typeof path === "string") : [];
  if (id && !action && request.startsWith("GET"))
    return { operation: "retrieve", work: () => account.session(id, paths) };
  return undefined;
}
