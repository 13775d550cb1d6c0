import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/**
 * A stand-in for VIES, for which `valid` and the trader may change; `valid` undefined answers with an error. It counts its
 * requests.
 */
export async function startVies(valid?: boolean) {
  const vies = { url: "", valid, name: "---", address: "---", asked: 0 };
  const server = createServer(async (request, response) => {
    const { countryCode, vatNumber } = JSON.parse(await text(request));
    vies.asked += 1;
    response.writeHead(vies.valid === undefined ? 500 : 200, { "content-type": "application/json" });
    const { valid, name, address } = vies;
    response.end(JSON.stringify({ countryCode, vatNumber, valid, requestIdentifier: "WAPIAAAAZ1", name, address }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vies.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
  return vies;
}
