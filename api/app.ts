import swagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { type FastifyServerOptions } from "fastify";
import { openAssistantFile } from "./assistant/answers/assistant-file.ts";
import { openSpeech } from "./assistant/answers/speech.ts";
import { assistantRoutes, hideAnswers } from "./assistant/routes.ts";
import type { AssistantSettings, EditorSettings, PushSettings } from "./env.ts";
import { makeFollowUp } from "./follow-up.ts";
import { listDeliveries } from "./partners/erp/deliveries.ts";
import { queueAgain } from "./partners/erp/push.ts";
import { deliveryRoutes } from "./partners/erp/routes.ts";
import { Delivery, FailedPush, Message, Preview } from "./partners/erp/schema.ts";
import { statusRoutes } from "./partners/erp/status.ts";
import { decisionRoutes } from "./partners/orders/decision-routes.ts";
import { invoiceRoutes } from "./partners/orders/invoice-routes.ts";
import { moneyRoutes } from "./partners/orders/money-routes.ts";
import { parcelRoutes } from "./partners/orders/parcel-routes.ts";
import { orderRoutes } from "./partners/orders/routes.ts";
import { productRoutes } from "./partners/products/routes.ts";
import { priceRoutes } from "./partners/stock/price-routes.ts";
import { stockRoutes } from "./partners/stock/routes.ts";
import { Stock } from "./partners/stock/schema.ts";
import { accountRoutes } from "./people/account/routes.ts";
import { buyRoutes } from "./people/basket/buy-link.ts";
import { basketRoutes } from "./people/basket/routes.ts";
import { checkoutRoutes } from "./people/checkout/routes.ts";
import { openCounter } from "./people/counter/built-counter.ts";
import { counterRoutes } from "./people/counter/routes.ts";
import { pages } from "./people/pages.ts";
import { productPageRoutes } from "./people/product/routes.ts";
import { searchRoutes } from "./people/search/routes.ts";
import { openSearch } from "./people/search/search.ts";
import type { Db } from "./platform/database/pool.ts";
import { requireToken } from "./platform/http/authentication.ts";
import { drainOnClose, refuseExpectations } from "./platform/http/connections.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { compileStrictValidator } from "./platform/http/input.ts";
import { keepAnswersPrivate } from "./platform/http/partner-headers.ts";
import { answerProblems, refuseBytes } from "./platform/http/problem.ts";
import { Problem } from "./platform/http/problem-schema.ts";
import {
  type Clock,
  limitForms,
  limitPages,
  limitSearches,
  limitStatus,
  limitTokens,
} from "./platform/http/rate-limits.ts";
import { makeSerializerCompiler } from "./platform/http/serializer.ts";
import { answerUnknownPaths, escapeUndecodablePath, guardUnknownPaths } from "./platform/http/unknown-paths.ts";
import { logController } from "./platform/monitoring/answer-log.ts";
import { requestId } from "./platform/monitoring/log.ts";
import { countRequests, createMetrics, type Metrics } from "./platform/monitoring/metrics.ts";
import { documentOptions } from "./platform/openapi/document.ts";
import type { BuildLog, Builds, OfBuild } from "./platform/private-pages/builds.ts";
import { servePages } from "./platform/private-pages/scope.ts";
import { openTemplates } from "./platform/private-pages/templates.ts";
import type { Send } from "./platform/webhook/sender.ts";
import { Product } from "./selling/catalogue/schema.ts";
import { Order } from "./selling/orders/schema.ts";
import { stripeRoutes } from "./selling/payments/routes.ts";
import type { StripeSettings } from "./selling/payments/settings.ts";
import { makePayments } from "./selling/payments/stripe-client.ts";
import { staffPages } from "./staff/frame/pages.ts";
import { staffHomeRoutes } from "./staff/frame/routes.ts";
import { serveStaff } from "./staff/frame/scope.ts";
import { staffOrderRoutes } from "./staff/order/routes.ts";
import { orderListRoutes } from "./staff/order-list/routes.ts";
import { editorRoutes } from "./staff/sign-in/routes.ts";
import { staffStockRoutes } from "./staff/stock/routes.ts";

export interface AppDependencies extends Partial<PushSettings> {
  db: Db;
  /** The same database through short timeouts (MONITORING), for health, status and metrics. */
  monitoringDb?: Db;
  /** The shop's public origin, for the `type` of problems. */
  baseUrl: string;
  pullTokens: readonly string[];
  /** Requests per minute for each token, and forms, pages and searches per minute of each address; 0 means no limit. */
  rateLimitPerMinute: number;
  /** The site's builds; undefined without private pages. */
  builds?: Builds;
  /** The mails of the site's builds; undefined where none are sent. */
  mails?: Pick<OfBuild<unknown>, "findFault"> | undefined;
  /** Sends a message to the webhook; undefined when no webhook is configured. */
  send?: Send | undefined;
  /** Where cards are charged; undefined when they aren't taken. */
  stripe?: StripeSettings | undefined;
  /** The REST service that checks VAT numbers; undefined when nobody is asked and tax is charged. */
  vatCheckUrl?: string | undefined;
  /** Orders that one address may place in an hour. */
  placementsPerHour?: number;
  /** Undefined without an assistant. */
  assistant?: AssistantSettings | undefined;
  /** Undefined where nobody can work in a browser. */
  editors?: EditorSettings | undefined;
  metrics?: Metrics;
  now?: Clock;
  logger?: Exclude<FastifyServerOptions["logger"], undefined>;
}

/** Schemas to which answers refer by `$id`. */
const SHARED_SCHEMAS = { Problem, Order, Product, Delivery, FailedPush, Message, Preview, Stock };
const compileSerializer = makeSerializerCompiler(SHARED_SCHEMAS);

/**
 * The whole API as a function of its dependencies. It doesn't listen, and connects to nothing before the first request.
 */
export function buildApp({
  db,
  monitoringDb = db,
  baseUrl,
  pullTokens,
  rateLimitPerMinute,
  builds,
  mails,
  send,
  pushWhen = "manual",
  pushLater = false,
  stripe,
  vatCheckUrl,
  placementsPerHour = 30,
  assistant,
  editors,
  metrics = createMetrics(),
  now = () => performance.now(),
  logger = false,
}: AppDependencies) {
  const app = Fastify({
    logger,
    logController,
    http: { requireHostHeader: false }, // Node's own 400 has no body, and nothing here needs the name
    genReqId: requestId,
    trustProxy: "loopback", // nginx; anyone else could forge X-Forwarded-For
    requestTimeout: 30_000,
    handlerTimeout: 10_000, // a hung database becomes a 503
    return503OnClosing: false, // Fastify's own 503 isn't problem+json: answer, then close
    routerOptions: { maxParamLength: 16_384 }, // longer than any URL, so that authentication comes first
    rewriteUrl: escapeUndecodablePath,
    frameworkErrors: answerProblems(baseUrl),
    clientErrorHandler: refuseBytes(baseUrl),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
  });
  // As bytes: otherwise Fastify measures the text and Node encodes it again.
  app.addHook("onSend", async (_request, _reply, payload) =>
    typeof payload === "string" ? Buffer.from(payload) : payload,
  );
  refuseExpectations(app);
  drainOnClose(app);
  countRequests(app, metrics);
  app.setErrorHandler(answerProblems(baseUrl));
  answerUnknownPaths(app);
  app.setValidatorCompiler(compileStrictValidator);
  for (const schema of Object.values(SHARED_SCHEMAS)) app.addSchema(schema);
  app.setSerializerCompiler(compileSerializer);
  app.register(swagger, documentOptions);

  const followUp = makeFollowUp({ pushWhen, pushLater });
  const payments = stripe && makePayments(db, stripe, followUp);
  const forPeople = builds && openForPeople(builds, app.log);
  const forAssistant = assistant && builds && openForAssistant(builds, app.log);
  const ofBuilds = [...Object.values({ ...forPeople, ...forAssistant }), ...(mails ? [mails] : [])];
  app.register(healthRoutes, { prefix: "/api/health", db: monitoringDb, ofBuilds });
  app.register(async (open) => {
    limitStatus(open, { metrics, now });
    open.register(statusRoutes, {
      prefix: "/api/erp",
      db: monitoringDb,
      pullTokens,
      webhookConfigured: send !== undefined,
    });
  });
  app.register(async (partner) => {
    keepAnswersPrivate(partner);
    requireToken(partner, { tokens: pullTokens, owner: "partner", metrics, now });
    limitTokens(partner, rateLimitPerMinute, { metrics, now });
    for (const prefix of ["/api/orders", "/api/products", "/api/stock", "/api/prices", "/api/erp/orders"])
      partner.register(guardUnknownPaths, { prefix });
    partner.register(orderRoutes, { prefix: "/api/orders", db });
    for (const routes of [decisionRoutes, moneyRoutes, parcelRoutes, invoiceRoutes])
      partner.register(routes, { prefix: "/api/orders", db, followUp });
    partner.register(productRoutes, { prefix: "/api/products", db });
    partner.register(stockRoutes, { prefix: "/api/stock", db });
    partner.register(priceRoutes, { prefix: "/api/prices", db });
    const outbox = send && { db, send, metrics };
    partner.register(deliveryRoutes, { prefix: "/api/erp/orders", db, outbox });
  });
  if (payments)
    app.register(stripeRoutes, { prefix: "/api/payments", payments, webhookSecrets: stripe.webhookSecrets, now });
  if (forPeople) {
    const { templates, search, counters } = forPeople;
    app.register(async (people) => {
      servePages(people, templates);
      limitForms(people, rateLimitPerMinute, { metrics, now });
      people.register(async (open) => {
        limitSearches(open, rateLimitPerMinute, { metrics, now });
        open.register(searchRoutes, { prefix: "/search", db, search });
      });
      people.register(async (open) => {
        limitPages(open, rateLimitPerMinute, { metrics, now });
        open.register(basketRoutes, { prefix: "/cart", db, relations: counters });
        open.register(buyRoutes, { prefix: "/buy", db });
        open.register(productPageRoutes, { prefix: "/products", db, builds, templates });
        open.register(counterRoutes, { prefix: "/counter", db, counters });
        open.register(checkoutRoutes, { prefix: "/checkout", db, followUp, vatCheckUrl, payments, placementsPerHour });
        open.register(accountRoutes, { prefix: "/account", db, payments });
      });
    });
  }
  if (assistant && forPeople && forAssistant) {
    app.register(async (door) => {
      hideAnswers(door);
      requireToken(door, { tokens: assistant.tokens, owner: "assistant", metrics, now });
      limitTokens(door, rateLimitPerMinute, { metrics, now });
      const prefix = "/api/assistant";
      door.register(guardUnknownPaths, { prefix });
      door.register(assistantRoutes, {
        ...{ prefix, db, search: forPeople.search, ...forAssistant, metrics, now },
        identitySecrets: assistant.identitySecrets,
        isLimited: rateLimitPerMinute > 0,
      });
    });
  }
  if (editors) {
    const options = { ...editors, db, unknownPerMinute: rateLimitPerMinute, metrics, now };
    app.register(editorRoutes, options);
    if (forPeople)
      app.register(async (staff) => {
        serveStaff(staff, forPeople.templates, options);
        staff.register(staffHomeRoutes, { prefix: "/admin" });
        staff.register(orderListRoutes, { prefix: "/admin/orders", db });
        const pushes = send && { list: (orderId: number) => listDeliveries(db, orderId), again: queueAgain };
        const isPushedWhenTaken = pushes !== undefined && pushWhen === "paid";
        staff.register(staffOrderRoutes, {
          ...{ prefix: "/admin/orders", db, followUp, payments, pushes, isPushedWhenTaken },
        });
        staff.register(staffStockRoutes, { prefix: "/admin/stock", db });
      });
  }
  return app;
}

/** What the API makes of the site's builds for pages. */
const openForPeople = (builds: Builds, log: BuildLog) => ({
  templates: openTemplates({ builds, pages: [...pages, ...staffPages], log }),
  search: openSearch(builds, log),
  counters: openCounter(builds, log),
});

/** What the assistant's tools know besides. */
const openForAssistant = (builds: Builds, log: BuildLog) => ({
  speech: openSpeech(builds, log),
  facts: openAssistantFile(builds, log),
});
