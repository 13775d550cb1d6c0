import { lookup as lookUp } from "node:dns";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** A picture of a shop is smaller. */
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_REDIRECTS = 3;
const TIME_MS = 30_000;

function listOf(networks: string, version: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) {
    const [address = "", prefix] = network.split("/");
    list.addSubnet(address, Number(prefix), version);
  }
  return list;
}

// Special-purpose addresses (IANA's registries, RFC 6890): private networks, this machine, its neighbours, groups.
const closed = listOf(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
  "ipv4",
);
const open6 = listOf("2000::/3", "ipv6");
// Among them documentation, and Teredo and 6to4, in which an IPv4 address hides.
const closed6 = listOf("2001::/23 2001:db8::/32 2002::/16 3fff::/20", "ipv6");

/** Whether an IP address belongs to the public Internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !closed.check(address, "ipv4");
  return version === 6 && open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}

/** Resolves a name to public addresses alone. The connection is made to these, so that no second answer can differ. */
const lookUpPublic: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const stray = addresses.find(({ address }) => !isPublicAddress(address));
    if (stray !== undefined || addresses.length === 0)
      return callback(new Refused(`is at a private address (${stray?.address ?? "none"})`), []);
    const [first] = addresses;
    if (options.all === true || first === undefined) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** Why a picture wasn't fetched: the rest of a sentence. */
export class Refused extends Error {}

/** Why an address can't be one to fetch a picture from: the rest of a sentence; undefined if it can. */
export function addressProblem(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return "isn't an address";
  if (url.protocol !== "https:") return "isn't at an https address";
  if (url.port !== "" || url.username !== "" || url.password !== "") return "has a port or a name in its address";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) return `is at a private address (${host})`;
  return undefined;
}

/**
 * Fetches a file from a public https address, also where it is redirected to.
 *
 * @throws Refused with the reason
 */
export async function fetchPicture(address: string, stop: AbortSignal): Promise<Buffer> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIME_MS)]);
  let url = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const problem = addressProblem(url);
    if (problem !== undefined) throw new Refused(problem);
    const response = await ask(url, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return readBody(response);
    response.destroy();
    const next = URL.parse(headers.location ?? "", url);
    if (statusCode < 301 || statusCode > 308 || next === null) throw new Refused(`was answered with ${statusCode}`);
    url = next.href;
  }
  throw new Refused(`is redirected more than ${MOST_REDIRECTS} times`);
}

function ask(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { lookup: lookUpPublic, signal, headers: { accept: "image/*" } }, resolve).on("error", (error) =>
      reject(error instanceof Refused ? error : new Refused(`couldn't be fetched (${reasonOf(error)})`)),
    );
  });
}

const reasonOf = (error: Error): string =>
  error.name === "AbortError" || error.name === "TimeoutError"
    ? `it took more than ${TIME_MS / 1000} seconds`
    : "code" in error
      ? String(error.code)
      : error.message;

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      length += part.length;
      if (length > MOST_BYTES) throw new Refused(`is larger than ${MOST_BYTES / 1024 / 1024} MB`);
    }
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`couldn't be fetched (${error instanceof Error ? reasonOf(error) : "unknown"})`);
  }
  return Buffer.concat(parts);
}
