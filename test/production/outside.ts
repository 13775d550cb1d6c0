import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import type { Machine } from "./machine.ts";

/** Runs in the machine's network: what comes to the socket named first goes to the port named second. */
const RELAY = `const net = require("node:net");
const [path, port] = process.argv.slice(1);
net.createServer((near) => {
  const far = net.connect(port, "127.0.0.1");
  near.pipe(far).pipe(near);
  for (const [one, other] of [[near, far], [far, near]]) one.on("error", () => other.destroy());
}).listen(path);`;

/** The name in a certificate, and the file of the authority that must have signed it. */
interface Tls {
  domain: string;
  authority: string;
}

/**
 * A way to a port of a machine from outside its network. `url` answers as the shop there does; with `tls` over HTTPS, and
 * with 502 and the reason where its certificate isn't right.
 */
export async function openOutside(machine: Machine, port: number, socketPath: string, tls?: Tls) {
  const relay = machine.startOutside(process.execPath, ["-e", RELAY, socketPath, String(port)]);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const options = { socketPath, method, path, headers: { ...headers, host: "shop.example" }, agent: false as const };
    const asked = tls
      ? requestHttps({ ...options, servername: tls.domain, ca: readFileSync(tls.authority) })
      : requestHttp(options);
    asked.on("response", (answer) => {
      // A kept connection would be closed while machine.run() blocks this process, and used by the next request.
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: "close" });
      answer.pipe(outgoing);
    });
    asked.on("error", (error) => outgoing.writeHead(502).end(error.message));
    incoming.pipe(asked);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      relay.kill();
    },
  };
}
