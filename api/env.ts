import { join } from "node:path";
import Type, { type TSchema } from "typebox";
import { Check, Compile } from "typebox/schema";
import { type DatabaseAddress, parseDatabaseUrl } from "./platform/database/database-address.ts";
import { type MailSettings, readMail } from "./platform/mail/settings.ts";
import { readWebhook, type Webhook } from "./platform/webhook/settings.ts";
import { readStripe, type StripeSettings } from "./selling/payments/settings.ts";

/** The door for the shop's assistant (assistant/). */
export interface AssistantSettings {
  /** One token, or two while it changes. */
  tokens: readonly string[];
  /** What the platform signs Assistant-Identity with: one, or two while it changes; none where it identifies nobody. */
  identitySecrets: readonly string[];
}

/** Who works in the shop in a browser (staff/). */
export interface EditorSettings {
  /** The origin of /admin, without a trailing slash; passkeys work at it alone. */
  origin: string;
  /** Whether content is written there too, because there is a repository for it. */
  hasContent: boolean;
}

/** When an order is pushed automatically, once; "manual" is never. */
type PushWhen = "manual" | "placed" | "paid";

/** What is pushed automatically. */
export interface PushSettings {
  pushWhen: PushWhen;
  /** Whether each later version of an order that was pushed is, too. */
  pushLater?: boolean;
}

export interface Env extends PushSettings {
  /** TCP port on 127.0.0.1. */
  apiPort: number;
  /** TCP port on 127.0.0.1 for `/metrics`; undefined when metrics aren't served. */
  metricsPort: number | undefined;
  /** Requests per minute for each token, and forms per minute of each address; 0 means no limit. */
  rateLimitPerMinute: number;
  /** The shop's public origin, without a trailing slash. */
  baseUrl: string;
  database: DatabaseAddress;
  /** Folder or http address of the private pages' templates. */
  sessionPages: string;
  /** One token, or two while a partner rotates it; empty when the pull API isn't configured. */
  pullTokens: readonly string[];
  /** Where orders are pushed; undefined when no webhook is configured. */
  webhook: Webhook | undefined;
  /** Where cards are charged; undefined when they aren't taken. */
  stripe: StripeSettings | undefined;
  /** Where mails go; undefined: they stay queued. */
  mail: MailSettings | undefined;
  /** The REST service that checks VAT numbers; undefined when nobody is asked and tax is charged. */
  vatCheckUrl: string | undefined;
  /** Orders that one address may place in an hour. */
  placementsPerHour: number;
  /** Undefined without an assistant. */
  assistant: AssistantSettings | undefined;
  /** Undefined where nobody can work in a browser. */
  editors: EditorSettings | undefined;
}

type WorkerEnv = Pick<Env, "database" | "webhook" | "stripe" | "mail" | "sessionPages">;

type Source = Readonly<Record<string, string | undefined>>;

/** Invalid settings: `problems` has one sentence for each, saying what to write. It never quotes a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

const PORT_NUMBER = "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";
/** A TCP port, 1 to 65535, as a setting writes it: the source of a regular expression. */
export const PORT = `^${PORT_NUMBER}$`;
/** An origin without a slash at the end: no character in it is syntax in a configuration file or a header. */
export const ORIGIN = `^https?://[A-Za-z0-9.-]+(:${PORT_NUMBER})?$`;
/** An origin at which browsers offer passkeys: a name, not an IP address, by TLS unless it's this machine. */
const PASSKEY_ORIGIN = `^(https://([A-Za-z0-9-]+\\.)*[A-Za-z][A-Za-z0-9-]*|http://localhost)(:${PORT_NUMBER})?$`;
const TOKEN = "[!-+\\--~]{32,}"; // visible ASCII except the comma, which separates two tokens

const Settings = Type.Object({
  API_PORT: Type.String({
    pattern: PORT,
    description:
      "Write the port on 127.0.0.1 that this API listens on, from 1 to 65535, such as API_PORT=3000; only nginx takes a list of several APIs' ports.",
  }),
  METRICS_PORT: Type.Optional(
    Type.String({
      pattern: PORT,
      description: "Write another port on 127.0.0.1, for Prometheus, such as METRICS_PORT=9464, or leave it out.",
    }),
  ),
  RATE_LIMIT_PER_MINUTE: Type.Optional(
    Type.String({
      pattern: "^(0|[1-9][0-9]{0,5})$",
      description:
        "Write the requests per minute for each token and the forms for each address, from 1 to 999999, or 0 for no limit.",
    }),
  ),
  BASE_URL: Type.String({
    pattern: ORIGIN,
    description: "Write scheme and host of the shop without a slash at the end, such as BASE_URL=https://shop.example.",
  }),
  DATABASE_URL: Type.String({
    pattern: "^mysql://",
    description:
      "Write DATABASE_URL=mysql://user:password@host:3306/name, with special characters percent-encoded. For TLS add ?ssl-mode=required, verify-ca or verify-identity, which needs a host name; the last two take &ssl-ca= with the absolute path of a readable PEM file.",
  }),
  SESSION_PAGES: Type.Optional(
    Type.String({
      pattern: "^(/|https?://)",
      description: "Write the absolute path of the folder .session in a build of the site, or leave it out.",
    }),
  ),
  ERP_PULL_API_TOKEN: Type.Optional(
    Type.String({
      pattern: `^${TOKEN}(,${TOKEN})?$`,
      description:
        "Write one token of at least 32 letters, digits or signs, or two separated by a comma; `openssl rand -hex 32` makes one.",
    }),
  ),
  ERP_PUSH_WHEN: Type.Optional(
    Type.Unsafe<PushWhen>({
      type: "string",
      pattern: "^(manual|placed|paid)$",
      description: "Write when an order is pushed automatically: placed, paid, or manual for never.",
    }),
  ),
  ERP_PUSH_LATER: Type.Optional(
    Type.String({
      pattern: "^(true|false)$",
      description: "Write true to push each later version of an order that was pushed, or false.",
    }),
  ),
  VAT_CHECK_URL: Type.Optional(
    Type.String({
      pattern: `^(https://[A-Za-z0-9.-]+|http://(127\\.0\\.0\\.1|localhost))(:${PORT_NUMBER})?(/[!-~]*)?$`,
      description:
        "Write the https address of VIES's REST service, VAT_CHECK_URL=https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number, or leave it out.",
    }),
  ),
  PLACEMENTS_PER_HOUR: Type.Optional(
    Type.String({
      pattern: "^[1-9][0-9]{0,5}$",
      description: "Write how many orders one address may place in an hour, from 1 to 999999.",
    }),
  ),
  CONTENT_REPOSITORY: Type.Optional(Type.String()),
  ADMIN_ORIGIN: Type.Optional(Type.String()),
  ASSISTANT_API_TOKEN: Type.Optional(
    Type.String({
      pattern: `^${TOKEN}(,${TOKEN})?$`,
      description:
        "Write one token of at least 32 letters, digits or signs, or two separated by a comma; `openssl rand -hex 32` makes one.",
    }),
  ),
  ASSISTANT_IDENTITY_SECRET: Type.Optional(
    Type.String({
      pattern: `^${TOKEN}(,${TOKEN})?$`,
      description:
        "Write the secret of at least 32 letters, digits or signs that the platform signs Assistant-Identity with, or two separated by a comma; `openssl rand -hex 32` makes one.",
    }),
  ),
});

const settings = Compile(Settings);

/** Reads the settings of the API process. Throws SettingsError with every problem at once. */
export function readEnv(source: Source): Env {
  const values = setValues(source);
  const problems = Object.entries(Settings.properties).flatMap(([name, schema]) =>
    findProblem(name, schema, values[name]),
  );
  if (values["METRICS_PORT"] && values["METRICS_PORT"] === values["API_PORT"])
    problems.push("METRICS_PORT and API_PORT are the same: give each its own.");
  const webhook = readWebhook(source, problems);
  if (/^(placed|paid)$/.test(values["ERP_PUSH_WHEN"] ?? "") && !source["ERP_WEBHOOK_URL"])
    problems.push(
      "ERP_PUSH_WHEN pushes orders, but ERP_WEBHOOK_URL is missing: set it, or write ERP_PUSH_WHEN=manual.",
    );
  if (values["ERP_PUSH_LATER"] === "true" && !source["ERP_WEBHOOK_URL"])
    problems.push(
      "ERP_PUSH_LATER pushes orders, but ERP_WEBHOOK_URL is missing: set it, or write ERP_PUSH_LATER=false.",
    );
  const stripe = readStripe(source, problems);
  const mail = readMail(source, problems);
  const pullTokens = values["ERP_PULL_API_TOKEN"]?.split(",") ?? [];
  const assistantTokens = values["ASSISTANT_API_TOKEN"]?.split(",") ?? [];
  if (assistantTokens.some((token) => pullTokens.includes(token)))
    problems.push("ASSISTANT_API_TOKEN and ERP_PULL_API_TOKEN have a token in common: give each its own.");
  if (values["ASSISTANT_IDENTITY_SECRET"] && assistantTokens.length === 0)
    problems.push("ASSISTANT_IDENTITY_SECRET is set, but ASSISTANT_API_TOKEN is missing: set both or neither.");
  const adminOrigin = findAdminOrigin(values, problems);
  const database = parseDatabaseUrl(values["DATABASE_URL"]);
  if (problems.length > 0 || !database || !settings.Check(values)) throw new SettingsError(problems);
  return {
    apiPort: Number(values.API_PORT),
    metricsPort: values.METRICS_PORT === undefined ? undefined : Number(values.METRICS_PORT),
    rateLimitPerMinute: Number(values.RATE_LIMIT_PER_MINUTE ?? 120),
    baseUrl: values.BASE_URL,
    database,
    sessionPages: values.SESSION_PAGES ?? DEFAULT_SESSION_PAGES,
    pullTokens,
    webhook,
    pushWhen: values.ERP_PUSH_WHEN ?? "manual",
    pushLater: values.ERP_PUSH_LATER === "true",
    stripe,
    mail,
    vatCheckUrl: values.VAT_CHECK_URL,
    placementsPerHour: Number(values.PLACEMENTS_PER_HOUR ?? 30),
    assistant:
      assistantTokens.length === 0
        ? undefined
        : { tokens: assistantTokens, identitySecrets: values.ASSISTANT_IDENTITY_SECRET?.split(",") ?? [] },
    editors: adminOrigin === undefined ? undefined : { origin: adminOrigin, hasContent: values.CONTENT_REPOSITORY !== undefined },
  };
}

const DEFAULT_SESSION_PAGES = join(import.meta.dirname, "..", "site", "dist", ".session");

/** Reads the settings of the worker, which needs a webhook or somewhere for mails to go. Throws SettingsError. */
export function readWorkerEnv(source: Source): WorkerEnv {
  const { DATABASE_URL, SESSION_PAGES } = setValues(source);
  const problems = [
    ...findProblem("DATABASE_URL", Settings.properties.DATABASE_URL, DATABASE_URL),
    ...findProblem("SESSION_PAGES", Settings.properties.SESSION_PAGES, SESSION_PAGES),
  ];
  const database = parseDatabaseUrl(DATABASE_URL);
  const webhook = readWebhook(source, problems);
  const stripe = readStripe(source, problems);
  const mail = readMail(source, problems);
  if (problems.length === 0 && !webhook && !mail)
    problems.push("ERP_WEBHOOK_URL is missing, and so is SMTP_URL. Without them nothing is sent.");
  if (!database || problems.length > 0) throw new SettingsError(problems);
  return { database, webhook, stripe, mail, sessionPages: SESSION_PAGES ?? DEFAULT_SESSION_PAGES };
}

/** Reads DATABASE_URL alone, for the commands. Throws SettingsError; where shop-command.ts has found no shop, an error that says so. */
export function readDatabaseAddress(source: Source): DatabaseAddress {
  const value = setValues(source)["DATABASE_URL"];
  const database = parseDatabaseUrl(value);
  if (database) return database;
  if (value === undefined && source["NO_SHOP"]) throw new Error(source["NO_SHOP"]);
  throw new SettingsError(findProblem("DATABASE_URL", Settings.properties.DATABASE_URL, value));
}

/** Reads the origin of /admin alone, for the command that prints links to it. Throws SettingsError. */
export function readAdminOrigin(source: Source): string {
  const problems: string[] = [];
  const origin = findAdminOrigin(setValues(source), problems, true);
  if (origin === undefined) throw new SettingsError(problems);
  return origin;
}

/**
 * The origin of /admin, as browsers write it: ADMIN_ORIGIN, or BASE_URL. Undefined if passkeys can't be used there, which is
 * one of the `problems` where /admin is asked for.
 */
export function findAdminOrigin(
  { ADMIN_ORIGIN, BASE_URL = "", CONTENT_REPOSITORY }: Source,
  problems: string[],
  isWanted = Boolean(ADMIN_ORIGIN || CONTENT_REPOSITORY),
): string | undefined {
  const origin = ADMIN_ORIGIN || BASE_URL;
  if (new RegExp(PASSKEY_ORIGIN).test(origin)) return new URL(origin).origin;
  if (isWanted)
    problems.push(
      `/admin can't be at ${ADMIN_ORIGIN ? "ADMIN_ORIGIN" : "BASE_URL"}: passkeys need https and a name, or http://localhost. Write such as ADMIN_ORIGIN=https://shop.example.`,
    );
  return undefined;
}

/** Reads what is pushed alone, for the processes that change orders beside the API. Throws SettingsError. */
export function readPushSettings(source: Source): PushSettings {
  const { ERP_PUSH_WHEN: when, ERP_PUSH_LATER: later } = setValues(source);
  const problems = [
    ...findProblem("ERP_PUSH_WHEN", Settings.properties.ERP_PUSH_WHEN, when),
    ...findProblem("ERP_PUSH_LATER", Settings.properties.ERP_PUSH_LATER, later),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return { pushWhen: when === "placed" || when === "paid" ? when : "manual", pushLater: later === "true" };
}

/** An empty value counts as unset: a .env file may have `NAME=`. */
function setValues(source: Source): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(Settings.properties)) if (source[name]) values[name] = source[name];
  return values;
}

/** At most one sentence: the setting is missing or invalid, and what to write. */
function findProblem(name: string, schema: TSchema & { description?: string }, value: string | undefined): string[] {
  if (value === undefined) return Type.IsOptional(schema) ? [] : [`${name} is missing. ${schema.description}`];
  const usable = Check(schema, value) && (name !== "DATABASE_URL" || parseDatabaseUrl(value) !== undefined);
  return usable ? [] : [`${name} is not usable. ${schema.description}`];
}
