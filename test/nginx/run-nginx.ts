import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { CertificateFiles } from "../../nginx/certificate.ts";
import { startChild, stopChild, waitUntilReady } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { type NginxConfiguration, openFilesHere, renderNginx } from "../../nginx/render.ts";
import { takeCertificate } from "../../nginx/take-certificate.ts";
import { openBuilds } from "../../site/build/builds.ts";
import { contentHash, etagTime } from "../../site/finish/etag-time.ts";
import { type RawAnswer, sendRequest } from "./raw-request.ts";

/** Text long enough to be compressed. */
export const LONG = "word ".repeat(200);

/** A site with so many pages that nginx opens a file for nearly every request. */
export const manyPages = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`page-${index}.html`, `<html>${text}`]));

export interface TestNginx {
  /** The shop, as http://127.0.0.1:PORT. */
  url: string;
  port: number;
  /** Folder of its configuration and logs. */
  folder: string;
  /**
   * Answers any request with "FACE FUNCTION MAP": the shop's face, the function's, and the map's, which is "undecided"
   * if it would ask the function. `/from-api` passes to the API and adds a page's headers.
   */
  facesPort: number;
  /** Sends a request line without its version, such as `HEAD /about`, and headers, unchanged. */
  send(line: string, headers?: Record<string, string>): Promise<RawAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Publishes another site, as a build does. */
  replaceSite(files: Record<string, string>): void;
  /** Folder of the site's builds. */
  site: string;
  /** The workers' CPU time so far, in milliseconds. */
  workerTimeMs(): number;
  /** The access log so far; nginx writes a line within a second. */
  requests(): Record<string, unknown>[];
  /** The error log and the output so far. */
  errors(): string;
  stop(): Promise<void>;
}

/**
 * Starts a real nginx with our configuration for the site `files` (path → content). Without `apiPort` nothing listens
 * behind /api/.
 */
export async function runNginx(
  files: Record<string, string>,
  apiPort?: number | number[],
  trustedProxies: string[] = [],
  more: Partial<NginxConfiguration> & { tls?: (CertificateFiles & { port: number }) | undefined } = {},
): Promise<TestNginx> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-nginx-"));
  const builds = openBuilds(folder);
  builds.prepare();
  writeSite(builds.next, files);
  builds.putInPlace();
  const [port, facesPort] = [more.port ?? (await findFreePort()), await findFreePort()];
  const configuration = join(folder, "nginx");
  renderNginx(configuration, {
    host: "127.0.0.1",
    port,
    apiPorts: apiPort === undefined ? [await findFreePort()] : [apiPort].flat(),
    baseUrl: "https://shop.example",
    dist: builds.dist,
    trustedProxies,
    workerUser: process.getuid?.() === 0 ? "root" : undefined,
    openFiles: openFilesHere(),
    errorLog: "error.log",
    accessLog: "access.log",
    ...more,
  });
  if (more.tls)
    takeCertificate({
      ...{ folder: configuration, files: more.tls, host: "shop.example", port: more.tls.port, isProduction: false },
    });
  addFacesServer(configuration, facesPort);
  const log = join(folder, "nginx.log");
  const args = ["-p", configuration, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"];
  const child = startChild({ name: "nginx", program: "nginx", args, logFile: log });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(
    child,
    log,
    async () => (await fetch(url, { redirect: "manual" }).catch(() => undefined))?.status !== undefined,
  );
  return {
    url,
    port,
    folder: configuration,
    facesPort,
    site: folder,
    send: (line, headers) => sendRequest(port, line, headers),
    get: (path, headers) => sendRequest(port, `GET ${path}`, headers),
    replaceSite(files) {
      writeSite(builds.next, files);
      builds.putInPlace();
    },
    workerTimeMs() {
      const master = child.child.pid;
      const workers = readFileSync(`/proc/${master}/task/${master}/children`, "utf8").trim().split(" ");
      // proc(5): the first number is CPU time in nanoseconds.
      const times = workers.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]));
      return times.reduce((sum, time) => sum + time, 0) / 1e6;
    },
    requests: () =>
      readFileSync(join(configuration, "access.log"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    errors: () => readFileSync(join(configuration, "error.log"), "utf8") + readFileSync(log, "utf8"),
    async stop() {
      await stopChild(child, "SIGTERM", 5000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The build's own quality takes most of what a test of private pages takes. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Writes a site as the build does, with mtimes derived from hashes (site/finish). */
export function writeSite(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const encodings =
      content.length > 256 ? { ".gz": gzipSync(content), ".br": brotliCompressSync(content, FAST) } : {};
    for (const [ending, bytes] of Object.entries({ "": Buffer.from(content), ...encodings })) {
      writeFileSync(file + ending, bytes);
      const seconds = etagTime(extname(path) + ending, contentHash(bytes));
      utimesSync(file + ending, seconds, seconds);
    }
  }
}

function addFacesServer(configuration: string, port: number): void {
  const map = /^map \$http_accept \$face \{.*?^\}/ms.exec(
    readFileSync(join(configuration, "negotiation.conf"), "utf8"),
  )?.[0];
  if (!map?.includes("default $negotiated_face;"))
    throw new Error("negotiation.conf has no map whose default is the function.");
  const mapAlone = map.replace("$face", "$face_by_map").replace("default $negotiated_face;", "default undecided;");
  const file = join(configuration, "nginx.conf");
  const faces = `server { listen 127.0.0.1:${port}; keepalive_requests 1000000; location = /from-api { include headers/page.conf; proxy_pass http://api; } location / { return 200 "$face $negotiated_face $face_by_map"; } }`;
  writeFileSync(file, readFileSync(file, "utf8").replace(/\}\s*$/, ""));
  appendFileSync(file, `${mapAlone}\n${faces}\n}\n`);
}
