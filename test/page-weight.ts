import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

interface Answer {
  /** Head and body, in bytes over the wire. */
  bytes: number;
  text: string;
}

/** Requests an address with Brotli. Throws unless the status is 200 or 404. */
export async function receive(url: string, accept = "*/*"): Promise<Answer> {
  const headers = { accept, "accept-encoding": "br" };
  // On its own connection, bytesRead counts this answer alone.
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
  /** Scripts that the browser runs after parsing the page. */
  deferredScripts: number;
  /** Number of blocking scripts: those without `type="module"`, and inline ones. */
  scriptsThatBlock: number;
}

/** Weighs a page with the styles and scripts that its HTML names. */
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
  // No screen waits for a sheet of paper.
  const sheets = [...text.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)].filter(
    ([tag]) => !/media="print"/.test(tag),
  );
  const styles = sheets.flatMap(([tag]) => addressIn(tag, "href"));
  return {
    html: bytes,
    styles: await weigh(styles),
    deferredScripts: await weigh(deferred),
    scriptsThatBlock: scripts.length - deferred.length,
  };
}

const addressIn = (tag: string, attribute: "src" | "href"): string[] =>
  new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.slice(1) ?? [];
