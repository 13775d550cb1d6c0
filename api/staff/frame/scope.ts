import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../../platform/database/pool.ts";
import { type Clock, countAddresses, tooManyRequests } from "../../platform/http/rate-limits.ts";
import type { Metrics } from "../../platform/monitoring/metrics.ts";
import { answerWithPage } from "../../platform/private-pages/problem-page.ts";
import { servePages } from "../../platform/private-pages/scope.ts";
import type { Templates } from "../../platform/private-pages/templates.ts";
import { refusedPage, staffProblemPage } from "./views.ts";
import { findSignedIn } from "../sign-in/session.ts";
import { RightMissing, requireStaff, SignedOut, type StaffMember } from "../staff-member.ts";

interface Options {
  db: Db;
  /** Whether there is a content repository, so that the header leads to where one writes. */
  hasContent: boolean;
  /** Requests of one address without a session, each of which asks the database; 0 means no limit. */
  unknownPerMinute: number;
  metrics: Metrics;
  now: Clock;
}

/**
 * Makes this scope answer those who work in the shop: as servePages, in the frame of /admin, and nobody who isn't signed in.
 * What somebody may do, each route asks itself (requireRight).
 */
export function serveStaff(
  scope: FastifyInstance,
  templates: Templates,
  { db, hasContent, unknownPerMinute, metrics, now }: Options,
): void {
  const unknown = countAddresses(unknownPerMinute, now);
  const find = async (request: FastifyRequest): Promise<StaffMember | undefined> => {
    if (unknown.isUsedUp(request.ip))
      throw tooManyRequests("credentials", "Too many attempts from your address.", { resetSeconds: 60 }, metrics);
    const member = await findSignedIn(db, request);
    if (!member) unknown.take(request.ip);
    return member;
  };
  // Asked once a request, and by the header of each page too.
  const found = new WeakMap<FastifyRequest, Promise<StaffMember | undefined>>();
  scope.decorateRequest("findStaff", function (this: FastifyRequest) {
    const asked = found.get(this) ?? find(this);
    found.set(this, asked);
    return asked;
  });
  /** What the frame's header leads to (site/admin/frame/page.ts); nothing while that can't be asked. */
  const given = async (request: FastifyRequest) => {
    const { rights } = (await request.findStaff().catch(() => undefined)) ?? { rights: new Set() };
    return { staff: { may_content: hasContent && rights.has("content"), may_orders: rights.has("orders") } };
  };
  servePages(scope, templates, { paths: ["/admin"], answerError: answerStaff, given });
  scope.addHook("onRequest", async (request) => {
    await requireStaff(request);
  });
}

async function answerStaff(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (error instanceof SignedOut) return leadToSignIn(request, reply);
  const answerProblem = (problem: unknown) => answerWithPage(problem, request, reply, staffProblemPage);
  if (error instanceof RightMissing)
    return reply.page(refusedPage, { right_word: `staff.refused.${error.right}` }, 403).catch(answerProblem);
  return answerProblem(error);
}

/** To where one signs in and comes back from. A form would be lost on the way: nginx answers with the page that says so. */
async function leadToSignIn({ method, url }: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (method !== "GET" && method !== "HEAD")
    return reply.code(401).header("X-Accel-Redirect", "/admin/signed-out").send();
  return reply.redirect(`/admin/sign-in?next=${encodeURIComponent(url).replaceAll("%2F", "/")}`, 302);
}
