import { createHmac } from "node:crypto";
import { startShopApi } from "../platform/private-pages/pages.ts";
import { transferShop } from "../selling/mail/mail-shop.ts";

export const assistantToken = "the-assistants-token-of-32-letters-and-more";
export const otherAssistantToken = "the-assistants-next-token-of-32-letters";
export const identitySecret = "the-secret-that-the-platform-signs-with";

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The header Assistant-Identity, as a platform signs it. */
export function signIdentity(claims: object, { secret = identitySecret, alg = "HS256" } = {}): string {
  const text = `${base64url({ alg, typ: "JWT" })}.${base64url(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

interface CallOptions {
  conversation?: string;
  token?: string;
  headers?: Record<string, string>;
}

/** A shop with an assistant. `call` calls one of its tools. */
export async function startAssistant(overrides: Parameters<typeof startShopApi>[0] = {}) {
  const api = await startShopApi({
    facts: transferShop(),
    assistant: { tokens: [assistantToken, otherAssistantToken], identitySecrets: [identitySecret] },
    ...overrides,
  });
  const call = (name: string, args: object, options: CallOptions = {}) => callTool(api.app, name, args, options);
  return { ...api, call };
}

type App = Awaited<ReturnType<typeof startShopApi>>["app"];

/** Calls a tool of the assistant behind `app`. */
export const callTool = (
  app: App,
  name: string,
  args: object,
  { conversation = "chat-1", token = assistantToken, headers = {} }: CallOptions = {},
) =>
  app.inject({
    method: "POST",
    url: `/api/assistant/tools/${name}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    payload: { conversation, arguments: args },
  });
