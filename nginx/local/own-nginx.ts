import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIPv6 } from "node:net";
import { text } from "node:stream/consumers";
import type { ShopSettings } from "../settings.ts";
import { localUrl } from "./ports.ts";

/** This machine's nginx, as its own commands reach it. */
export interface OwnNginx {
  /** Origin without trailing slash, as visitors ask for it. */
  url: string;
  /** Where to connect instead of at the URL's own address, at which a CDN or a load balancer may answer. */
  at?: { hostname: string; port: number } | undefined;
}

export interface Answer {
  status: number;
  /** Content-Type; empty without one. */
  type: string;
  body: string;
}

/** Where nginx answers visitors: where TLS ends in it, by the shop's own name. */
export function findOwnNginx({
  tls,
  baseUrl,
  ...address
}: Pick<ShopSettings, "tls" | "baseUrl" | "host" | "port">): OwnNginx {
  const url = localUrl(address);
  if (!tls) return { url };
  // Without the brackets of an IPv6 address.
  const hostname = new URL(url).hostname.replace(/[[\]]/g, "");
  return { url: `https://${new URL(baseUrl).host}`, at: { hostname, port: tls.port } };
}

/** A page's URL there, for messages. */
export const describePage = ({ url, at }: OwnNginx, path: string): string =>
  `${url}${path}${at ? ` at ${isIPv6(at.hostname) ? `[${at.hostname}]` : at.hostname}:${at.port}` : ""}`;

/** Requests a page there. Rejects if nothing answers. */
export async function askNginx(
  { url, at }: OwnNginx,
  path: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const { host, protocol } = new URL(url);
  const request = protocol === "https:" ? requestHttps : requestHttp;
  // The certificate may be one that only a CDN in front trusts. The doctor says when it expires.
  const options = { ...at, headers: { ...headers, host }, signal, agent: false, rejectUnauthorized: false };
  const [answer] = await once(request(url + path, options).end(), "response");
  return { status: answer.statusCode, type: answer.headers["content-type"] ?? "", body: await text(answer) };
}
