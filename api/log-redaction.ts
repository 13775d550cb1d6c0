import type { Env } from "./env.ts";

const PRIVATE_FIELDS = [
  ...["authorization", "cookie", "token", "secret", "password", "headers", "body", "url"],
  ...["email", "phone", "customer", "billing_address", "shipping_address"],
];

/** Paths for pino's `redact`: whatever is logged under these names, at the top or one level down. */
export const privatePaths = PRIVATE_FIELDS.flatMap((name) => [name, `*.${name}`]);

/** What no line of the log may show: tokens, the webhook's address and what signs for it. */
export function secretsOf({ pullTokens, webhook }: Partial<Pick<Env, "pullTokens" | "webhook">>): string[] {
  const ofWebhook = webhook ? [webhook.url.hostname, ...webhook.keys.map((key) => key.toString("base64"))] : [];
  return [...(pullTokens ?? []), ...ofWebhook];
}

// Our packages' versions in stack traces, `fastify@5.12.8/node_modules`, are none: a top-level domain is letters.
const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu;

/**
 * Makes the last look at each line: the secrets and every e-mail address in it are struck out, wherever they stand. What
 * a library puts into an error's message cannot be known beforehand (`getaddrinfo ENOTFOUND <host>`).
 */
export function strikeOut(secrets: readonly string[]): (line: string) => string {
  const written = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return (line) => {
    const withoutSecrets = written.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), line);
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
