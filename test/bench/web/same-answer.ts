import { createHash } from "node:crypto";
import { get } from "node:http";
import type { Request } from "./requests.ts";
import type { Server } from "./servers.ts";

interface Answer {
  status: number | undefined;
  type: string | undefined;
  encoding: string | undefined;
  etag: string | undefined;
  /** Length and hash of the encoded body. */
  body: string;
}

/** Requests a server once, and returns its answer undecoded. */
export function askOnce({ url }: Server, { face, headers }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url[face], { headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      resolve({
        status: answer.statusCode,
        type: answer.headers["content-type"]?.replace(/;.*/, ""),
        encoding: answer.headers["content-encoding"],
        etag: answer.headers.etag,
        body: `${body.length} bytes, ${createHash("sha256").update(body).digest("hex")}`,
      });
    }).on("error", reject);
  });
}

/** Throws unless all servers answer with the same bytes in the same encoding, so that speeds are comparable. */
export async function ensureSameAnswer(servers: readonly Server[], request: Request): Promise<void> {
  const answers = await Promise.all(servers.map((server) => askOnce(server, request)));
  const signatures = answers.map(({ status, type, encoding, body }) =>
    JSON.stringify({ status, type, encoding, body }),
  );
  if (new Set(signatures).size > 1)
    throw new Error(
      `${request.what} differs between servers:\n${signatures.map((signature, index) => `${servers[index]?.name}: ${signature}`).join("\n")}`,
    );
}
