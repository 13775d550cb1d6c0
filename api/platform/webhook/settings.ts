import { type AllowList, emptyAllowList, readCidrs } from "./addresses.ts";
import { readSecret } from "./signature.ts";

/** Where orders are pushed. */
export interface Webhook {
  url: URL;
  /** One key, or two while the secret is rotated. */
  keys: readonly Buffer[];
  /** Addresses that are allowed although they aren't public; a cloud's metadata service must be named exactly. */
  allow: AllowList;
}

type Source = Readonly<Record<string, string | undefined>>;

const URL_ADVICE =
  "Write the address that orders are posted to, without user, password and fragment, such as ERP_WEBHOOK_URL=https://erp.example/orders.";
const SECRET_ADVICE =
  "Write whsec_ and the base64 of 24 to 64 random bytes, or two such secrets separated by a comma; `echo whsec_$(openssl rand -base64 32)` makes one.";

/**
 * Reads the webhook's four settings; an empty one counts as unset. Adds one sentence to `problems` for each invalid
 * one, without quoting it. Returns undefined when no webhook is configured or a setting is invalid.
 */
export function readWebhook(source: Source, problems: string[]): Webhook | undefined {
  const before = problems.length;
  const allowHttp = source["ERP_WEBHOOK_ALLOW_HTTP"] || "false";
  if (!/^(true|false)$/.test(allowHttp))
    problems.push("ERP_WEBHOOK_ALLOW_HTTP is not usable. Write true to allow plain http, or false.");
  const cidrs = source["ERP_WEBHOOK_ALLOW"];
  const allow = cidrs ? readCidrs(cidrs) : emptyAllowList();
  if (!allow)
    problems.push(
      "ERP_WEBHOOK_ALLOW is not usable. Write address ranges separated by commas, such as ERP_WEBHOOK_ALLOW=10.0.0.0/8,fd00::/8.",
    );
  const secrets = source["ERP_WEBHOOK_SECRET"];
  const keys = secrets ? readSecrets(secrets) : undefined;
  if (secrets && !keys) problems.push(`ERP_WEBHOOK_SECRET is not usable. ${SECRET_ADVICE}`);
  const url = source["ERP_WEBHOOK_URL"];
  if (!url) return undefined;
  if (!secrets) problems.push(`ERP_WEBHOOK_SECRET is missing while ERP_WEBHOOK_URL is set. ${SECRET_ADVICE}`);
  const target = readTarget(url, allowHttp === "true", problems);
  return target && keys && allow && problems.length === before ? { url: target, keys, allow } : undefined;
}

function readSecrets(text: string): readonly Buffer[] | undefined {
  const keys = text.split(",").flatMap((secret) => readSecret(secret.trim()) ?? []);
  return keys.length <= 2 && keys.length === text.split(",").length ? keys : undefined;
}

function readTarget(value: string, allowHttp: boolean, problems: string[]): URL | undefined {
  const url = URL.canParse(value) && /^https?:\/\/[^\s#]+$/i.test(value) ? new URL(value) : undefined;
  if (!url || url.username || url.password) {
    problems.push(`ERP_WEBHOOK_URL is not usable. ${URL_ADVICE}`);
    return undefined;
  }
  if (url.protocol === "http:" && !allowHttp) {
    problems.push("ERP_WEBHOOK_URL is not usable. Write https://, or set ERP_WEBHOOK_ALLOW_HTTP=true for plain http.");
    return undefined;
  }
  return url;
}
