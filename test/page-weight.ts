import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

interface Answer {
  /** Head and body, as they went over the wire. */
  bytes: number;
  text: string;
}

/** What a client that takes Brotli receives for this address. Throws where it isn't answered with 200 or 404. */
export async function receive(url: string, accept = "*/*"): Promise<Answer> {
  const headers = { accept, "accept-encoding": "br" };
  // A connection of its own: what it has read is this answer.
  const sent = request(url, { agent: false, headers }).end();
  const [answer]: [IncomingMessage] = (await once(sent, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200 && answer.statusCode !== 404) throw new Error(`${url} answers ${answer.statusCode}`);
  const body = Buffer.concat(await answer.toArray());
  const isEncoded = answer.headers["content-encoding"] === "br";
  const plain = isEncoded ? await promisify(brotliDecompress)(body) : body;
  return { bytes: answer.socket.bytesRead, text: plain.toString() };
}

/** Bytes over the wire. */
export interface PageWeight {
  html: number;
  styles: number;
  /** Scripts that the browser runs once the page is there. */
  deferredScripts: number;
  /** How many scripts the page waits for: those without `type="module"`, and those in its text. */
  scriptsThatBlock: number;
}

/** Weighs a page and what it needs to be shown, as its HTML names it. */
export async function weighPage(url: string): Promise<PageWeight> {
  const { bytes, text } = await receive(url, "text/html");
  const weigh = async (paths: readonly string[]) => {
    const answers = await Promise.all(paths.map((path) => receive(new URL(path, url).href)));
    return answers.reduce((sum, answer) => sum + answer.bytes, 0);
  };
  const scripts = [...text.matchAll(/<script\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/\/(?:ld\+)?json"/.test(tag));
  const deferred = scripts.filter((tag) => /type="module"/.test(tag)).flatMap((tag) => addressIn(tag, "src"));
  const styles = [...text.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)].flatMap(([tag]) => addressIn(tag, "href"));
  return {
    html: bytes,
    styles: await weigh(styles),
    deferredScripts: await weigh(deferred),
    scriptsThatBlock: scripts.length - deferred.length,
  };
}

const addressIn = (tag: string, attribute: "src" | "href"): string[] =>
  new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.slice(1) ?? [];
