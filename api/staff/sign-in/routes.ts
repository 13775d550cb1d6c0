import { setTimeout as sleep } from "node:timers/promises";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { type Right, writeRights } from "../../contract/staff-rights.ts";
import type { Db } from "../../platform/database/pool.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { type Clock, countAddresses, tooManyRequests } from "../../platform/http/rate-limits.ts";
import { takeSharedOf } from "../../platform/http/shared-limits.ts";
import type { Metrics } from "../../platform/monitoring/metrics.ts";
import { hasEditors } from "./editors.ts";
import { loadPasskeyLibrary, makePasskeys } from "./passkeys.ts";
import { closeEditorSession, findSignedIn, setEditorCookie } from "./session.ts";

interface Options {
  db: Db;
  /** Whether there is a content repository to write into. */
  hasContent: boolean;
  /** The origin of /admin, without a trailing slash. */
  origin: string;
  /** Requests of one address without a session, each of which asks the database; 0 means no limit. */
  unknownPerMinute: number;
  metrics: Metrics;
  now: Clock;
}

/** Of one address; signing in takes two. */
const REQUESTS_PER_HOUR = 120;

/** At least this long until a passkey is refused, so that the time doesn't tell an unknown one from a wrong signature. */
const REFUSED_AFTER_MS = 400;

const Base64Url = Type.String({ pattern: "^[\\w-]{1,1364}$", title: "Write base64url, as the browser does." });
const Text = Type.String();
const strict = { additionalProperties: false };

/** What we read of a credential; the library checks the rest, and these too. */
const Assertion = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({
    id: Base64Url,
    response: Type.Object({ clientDataJSON: Text, userHandle: Type.Optional(Base64Url) }),
  }),
);
const Attestation = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object({ id: Base64Url, response: Type.Object({ clientDataJSON: Text }) }),
);
const SignIn = Type.Object({ credential: Assertion }, strict);
const Link = Type.Object({ link: Text }, strict);
const MayQuery = Type.Object(
  {
    may: Type.Optional(
      Type.Unsafe<Right>({ type: "string", pattern: "^(content|orders|shop)$", title: "Write content, orders or shop." }),
    ),
  },
  strict,
);
const Enrolment = Type.Object({ link: Text, credential: Attestation }, strict);

/**
 * Who works in the shop: signing in and out, new passkeys, and who is signed in and may do something, for nginx. In no
 * public document. The pages that ask are built with the site (site/admin/frame/sign-in-page.ts).
 */
export const editorRoutes: FastifyPluginAsyncTypebox<Options> = async (
  scope,
  { db, hasContent, origin, unknownPerMinute, metrics, now },
) => {
  const passkeys = makePasskeys(db, origin);
  // Before it's needed, as in jobs.ts; not where nobody has been let in yet, since it takes 30 MB.
  scope.addHook("onListen", async () => {
    const load = async () => {
      if (hasContent || (await hasEditors(db).catch(() => true))) await loadPasskeyLibrary();
    };
    load().catch(() => {});
  });
  scope.register(cookie);
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  });

  const limit = async ({ ip }: FastifyRequest) => {
    if (!(await takeSharedOf(db, "editors", ip, REQUESTS_PER_HOUR))) throw refuseFor(3600);
  };

  const refuseFor = (resetSeconds: number) =>
    tooManyRequests("credentials", "Too many attempts from your address.", { resetSeconds }, metrics);

  const refuse = (slug: "unauthorized" | "not-found", detail: string) => {
    metrics.countAuthFailure();
    return new ApiError(slug, detail);
  };

  /** Answers with the cookie of `opening`'s session, or refuses for a reason that it doesn't say. */
  const answerWithSession = async (
    request: FastifyRequest,
    reply: FastifyReply,
    opening: Promise<string | undefined>,
  ) => {
    const refusedAfter = sleep(REFUSED_AFTER_MS);
    const session = await opening;
    if (session !== undefined) return setEditorCookie(request, reply, session).code(204).send();
    await refusedAfter;
    throw refuse("unauthorized", "This passkey can't be used here, or its request has expired.");
  };

  const unknown = countAddresses(unknownPerMinute, now);
  scope.get("/api/admin/session", { schema: { hide: true, querystring: MayQuery } }, async (request, reply) => {
    if (unknown.isUsedUp(request.ip)) throw refuseFor(60);
    const editor = await findSignedIn(db, request);
    if (!editor) {
      unknown.take(request.ip);
      throw new ApiError("unauthorized", "Sign in at /admin/sign-in.");
    }
    const { may } = request.query;
    if (may !== undefined && !editor.rights.has(may)) return reply.header("Right-Missing", may).code(403).send();
    // Percent-encoded, since a header holds no other characters than ASCII's.
    const headers = {
      "Editor-Name": encodeURIComponent(editor.name),
      "Editor-Email": encodeURIComponent(editor.email),
      "Editor-Rights": writeRights(editor.rights),
    };
    return reply.headers(headers).code(204).send();
  });

  const asking = { onRequest: limit };
  scope.post("/api/admin/session/options", { ...asking, schema: { hide: true } }, () => passkeys.askToSignIn());
  scope.post("/api/admin/session", { ...asking, schema: { hide: true, body: SignIn } }, (request, reply) =>
    answerWithSession(request, reply, passkeys.signIn(request.body.credential)),
  );
  scope.post("/api/admin/passkeys/options", { ...asking, schema: { hide: true, body: Link } }, async ({ body }) => {
    const options = await passkeys.askToEnrol(body.link);
    if (!options) throw refuse("not-found", "This link has been used or has expired.");
    return options;
  });
  scope.post("/api/admin/passkeys", { ...asking, schema: { hide: true, body: Enrolment } }, (request, reply) =>
    answerWithSession(request, reply, passkeys.enrol(request.body.link, request.body.credential)),
  );

  scope.register(async (forms) => {
    forms.register(formbody);
    forms.post("/admin/sign-out", { schema: { hide: true } }, async (request, reply) => {
      await closeEditorSession(db, request, reply);
      return reply.redirect("/admin/sign-in", 303);
    });
  });
};
