import Type from "typebox";
import { Compile } from "typebox/compile";

export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Path of a Unix socket; wins over host and port. */
  socketPath: string | undefined;
}

export interface Env {
  /** TCP port on 127.0.0.1. */
  apiPort: number;
  /** Production base address: an origin without a slash at the end. */
  baseUrl: string;
  database: DatabaseAddress;
  /** One token, or two while a partner changes over; none when the pull API is not configured. */
  pullTokens: readonly string[];
}

type Source = Readonly<Record<string, string | undefined>>;

/** Settings that cannot be used: `problems` has one sentence for each, saying what to write. Never quotes a value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Settings that need mending:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

const TOKEN = "[!-+\\--~]{32,}"; // visible ASCII but the comma, which separates two tokens

const Settings = Type.Object({
  API_PORT: Type.String({
    pattern: "^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$",
    description: "Write the port on 127.0.0.1 that the API listens on, from 1 to 65535, such as API_PORT=3000.",
  }),
  BASE_URL: Type.String({
    pattern: "^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$",
    description: "Write scheme and host of the shop without a slash at the end, such as BASE_URL=https://shop.example.",
  }),
  DATABASE_URL: Type.String({
    pattern: "^mysql://",
    description: "Write DATABASE_URL=mysql://user:password@host:3306/name, with special characters percent-encoded.",
  }),
  ERP_PULL_API_TOKEN: Type.Optional(
    Type.String({
      pattern: `^${TOKEN}(,${TOKEN})?$`,
      description:
        "Write one token of at least 32 letters, digits or signs, or two separated by a comma; `openssl rand -hex 32` makes one.",
    }),
  ),
});

const settings = Compile(Settings);
const databaseSetting = Compile(Type.Pick(Settings, ["DATABASE_URL"]));

/** Reads what the API process needs. Throws SettingsError naming everything that is wrong at once. */
export function readEnv(source: Source): Env {
  const values = setValues(source);
  const problems = nameProblems(settings.Errors(values), values);
  const database = parseDatabaseUrl(values["DATABASE_URL"]);
  if (!database && !problems.some((problem) => problem.startsWith("DATABASE_URL")))
    problems.push(unusable("DATABASE_URL"));
  if (problems.length > 0 || !database || !settings.Check(values)) throw new SettingsError(problems);
  return {
    apiPort: Number(values.API_PORT),
    baseUrl: values.BASE_URL,
    database,
    pullTokens: values.ERP_PULL_API_TOKEN?.split(",") ?? [],
  };
}

/** Reads only the database's address, for the scripts that need nothing else. Throws SettingsError. */
export function readDatabaseAddress(source: Source): DatabaseAddress {
  const values = setValues(source);
  const problems = nameProblems(databaseSetting.Errors(values), values);
  const database = parseDatabaseUrl(values["DATABASE_URL"]);
  if (!database) throw new SettingsError(problems.length > 0 ? problems : [unusable("DATABASE_URL")]);
  return database;
}

/** An empty value counts as unset: `NAME=` in a .env file means "not here". */
function setValues(source: Source): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(Settings.properties)) if (source[name]) values[name] = source[name];
  return values;
}

function nameProblems(errors: { instancePath: string }[], values: Record<string, string>): string[] {
  const missing = Settings.required.filter(
    (name) => !(name in values) && errors.some(({ instancePath }) => !instancePath),
  );
  const wrong = errors.map(({ instancePath }) => instancePath.slice(1)).filter(Boolean);
  return [...missing, ...wrong].map((name) =>
    name in values ? unusable(name) : `${name} is missing. ${advice(name)}`,
  );
}

const unusable = (name: string) => `${name} is not usable. ${advice(name)}`;

function advice(name: string): string {
  const [, schema = {}] = Object.entries(Settings.properties).find(([key]) => key === name) ?? [];
  return "description" in schema ? String(schema.description) : "";
}

/** Strict on purpose: a mistyped part must not quietly become a default. `?socketPath=` is the only parameter. */
function parseDatabaseUrl(value: string | undefined): DatabaseAddress | undefined {
  try {
    const url = new URL(value ?? "");
    const database = decodeURIComponent(url.pathname.slice(1));
    const unknown = [...url.searchParams.keys()].filter((key) => key !== "socketPath");
    if (url.protocol !== "mysql:" || !/^[\w$-]{1,64}$/.test(database) || !url.username || !url.hostname)
      return undefined;
    if (unknown.length > 0 || url.hash) return undefined;
    return {
      host: url.hostname,
      port: Number(url.port || 3306),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database,
      socketPath: url.searchParams.get("socketPath") ?? undefined,
    };
  } catch {
    return undefined;
  }
}
