import type { Env } from "../env.ts";

const PRIVATE_FIELDS = [
  ...["authorization", "cookie", "token", "secret", "password", "headers", "body", "url"],
  ...["email", "phone", "customer", "billing_address", "shipping_address"],
];

/** Paths for pino's `redact`: whatever is logged under these names, at the top or one level down. */
export const privatePaths = PRIVATE_FIELDS.flatMap((name) => [name, `*.${name}`]);

/** What no line of the log may show. */
export interface Secrets {
  /** Long enough to be struck out wherever they stand: tokens, keys, a password, long parts of the webhook's address. */
  texts: readonly string[];
  /** The webhook's host and path, and short passwords: words that our own lines may use, so only where they stand alone. */
  patterns: readonly RegExp[];
}

/** Shorter, a text may be a word of ours (`erp`, `orders`), or be in one. */
const TELLING = 12;

/** The secrets among the settings: tokens, the webhook's address and what signs for it, the database's password. */
export function secretsOf({ pullTokens = [], webhook, database }: Partial<Env>): Secrets {
  const texts = [...pullTokens, ...(webhook?.keys.map((key) => key.toString("base64")) ?? [])];
  const patterns: RegExp[] = [];
  if (webhook) {
    const { hostname, pathname, search, searchParams } = webhook.url;
    const parts = [...pathname.split("/"), ...searchParams.values(), search.slice(1)];
    texts.push(...parts.flatMap((part) => [part, decode(part)]).filter(({ length }) => length >= TELLING));
    // As a host, not as a part of a path or of another name, nor as the name of one of our fields.
    patterns.push(new RegExp(`(?<![\\w.-]|(?<!/)/)${inPattern(hostname)}(?![\\w-]|\\.\\w|":)`, "g"));
    // Not what may be a route of ours.
    for (const path of new Set([pathname + search, pathname]))
      if (path !== "/") patterns.push(new RegExp(`(?<![\\w.%/-]|"route":")${inPattern(path)}(?![\\w%/-])`, "g"));
    if (search !== "") patterns.push(new RegExp(`${inPattern(search)}(?![\\w%-])`, "g"));
  }
  for (const password of database?.password ? [database.password, encodeURIComponent(database.password)] : []) {
    if (password.length >= TELLING) texts.push(password);
    else patterns.push(new RegExp(`(?<=:)${inPattern(password)}(?=@)`, "g"));
  }
  return { texts, patterns };
}

const inPattern = (text: string) => inJson(text).replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Our packages' versions in stack traces, `fastify@5.12.8/node_modules`, are none: a top-level domain is letters.
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu;

/**
 * Makes the last look at each line: the secrets and every e-mail address in it are struck out, wherever they stand. What
 * a library puts into an error's message cannot be known beforehand (`getaddrinfo ENOTFOUND <host>`).
 */
export function strikeOut({ texts, patterns }: Secrets): (line: string) => string {
  const secrets = [...patterns, ...texts.map(inJson)];
  return (line) => {
    const withoutSecrets = secrets.reduce<string>((text, secret) => text.replaceAll(secret, "[redacted]"), line);
    return withoutSecrets.replace(EMAIL, "[e-mail]");
  };
}

/** An error as a log may show it. A database's quotes values in its message, and carries the statement. */
export function describeError(error: Error & { code?: string; sqlState?: string }) {
  const ofDatabase = typeof error.sqlState === "string";
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    code: error.code,
    message: ofDatabase ? "The database refused a statement." : error.message,
    stack: frames.join("\n"),
  };
}
