import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { checkVatNumber } from "../../../../api/selling/quote/vies.ts";

/** A stand-in for VIES, which records what it is asked. It knows nothing of the real one's availability. */
async function startVies(behave: (response: ServerResponse) => void) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    behave(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const options = { url: `http://127.0.0.1:${port}/check`, timeoutMs: 60_000, shopRegistration: "NL123456789B01" };
  return { asked, options };
}

const known = {
  countryCode: "DE",
  vatNumber: "136695976",
  requestDate: "2026-11-22T12:00:00.000Z",
  valid: true,
  requestIdentifier: "WAPIAAAAZ1",
  name: "---",
  address: "---",
};
const answering =
  (body: object | string, status = 200) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));

test("a number that VIES knows is valid, with the consultation number", async () => {
  const { asked, options } = await startVies(answering({ ...known, userError: "VALID" }));
  expect(await checkVatNumber("de 136.695-976", options)).toEqual({
    vat_id: "DE136695976",
    result: "valid",
    checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    consultation_number: "WAPIAAAAZ1",
    trader_name: null,
    trader_address: null,
  });
  expect(asked).toEqual([
    { countryCode: "DE", vatNumber: "136695976", requesterMemberStateCode: "NL", requesterNumber: "123456789B01" },
  ]);
});

test.each([
  ["NOVÁK RETAIL S.R.O.", "DLOUHÁ 1\n110 00  PRAHA 1\n", "NOVÁK RETAIL S.R.O.", "DLOUHÁ 1, 110 00 PRAHA 1"],
  ["A\u202Eb\u0000\u200B c\tD", "\r\n,Ulica 1,\r\nZagreb", "Ab c D", "Ulica 1, Zagreb"],
  ["---", "--- ", null, null],
  [null, undefined, null, null],
  ["x".repeat(5_000), "\ud83d", "x".repeat(200), null],
])("of a trader %j, %j VIES's name and address are kept as %j, %j", async (name, address, kept, keptAddress) => {
  const { options } = await startVies(answering({ ...known, name, address }));
  expect(await checkVatNumber("DE136695976", options)).toMatchObject({
    ...{ result: "valid", trader_name: kept, trader_address: keptAddress },
  });
});

test("a number that VIES doesn't know is invalid", async () => {
  const { options } = await startVies(
    answering({ ...known, valid: false, userError: "INVALID", requestIdentifier: "" }),
  );
  const checked = await checkVatNumber("DE136695976", options);
  expect(checked).toMatchObject({ result: "invalid", consultation_number: null });
});

test("a shop without a VAT number asks without one", async () => {
  const { asked, options } = await startVies(answering(known));
  expect(await checkVatNumber("DE136695976", { ...options, shopRegistration: null })).toMatchObject({
    result: "valid",
  });
  expect(asked).toEqual([{ countryCode: "DE", vatNumber: "136695976" }]);
});

test("a number whose form isn't valid is invalid, and VIES isn't asked", async () => {
  const { asked, options } = await startVies(answering(known));
  expect(await checkVatNumber("DE12", options)).toMatchObject({ vat_id: "DE12", result: "invalid" });
  expect(asked).toEqual([]);
});

test("without an address nobody is asked", async () => {
  const options = { url: undefined, timeoutMs: 3_000, shopRegistration: null };
  expect(await checkVatNumber("DE136695976", options)).toMatchObject({ vat_id: "DE136695976", result: "unavailable" });
});

const drip = (response: ServerResponse) => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

test.each([
  ["hangs", () => {}],
  ["drips", drip],
])("a VIES that %s is unavailable after the time for it", async (_what, behave) => {
  const { options } = await startVies(behave);
  expect(await checkVatNumber("DE136695976", { ...options, timeoutMs: 200 })).toMatchObject({ result: "unavailable" });
});

test.each([
  ["broken JSON", answering('{"valid":true,')],
  ["no JSON", answering("<html>maintenance</html>")],
  ["an error of its own", answering(known, 500)],
  ["200 kB", answering({ ...known, name: "x".repeat(200_000) })],
  ["an error in its own words", answering({ actionSucceed: false, errorWrappers: [{ error: "MS_UNAVAILABLE" }] })],
  ["an error beside valid", answering({ ...known, userError: "MS_MAX_CONCURRENT_REQ" })],
  ["an error beside invalid", answering({ ...known, valid: false, userError: "MS_UNAVAILABLE" })],
  ["valid and INVALID at once", answering({ ...known, userError: "INVALID" })],
  ["invalid and VALID at once", answering({ ...known, valid: false, userError: "VALID" })],
  ["valid as text", answering({ ...known, valid: "true" })],
  ["a name that isn't text", answering({ ...known, name: { toString: "x" } })],
  ["another number", answering({ ...known, vatNumber: "136695977" })],
  ["another country", answering({ ...known, countryCode: "AT" })],
  ["a redirect", (response: ServerResponse) => void response.writeHead(302, { location: "/" }).end()],
  ["a closed connection", (response: ServerResponse) => void response.socket?.destroy()],
])("a VIES that answers with %s is unavailable", async (_what, behave) => {
  const { options } = await startVies(behave);
  expect(await checkVatNumber("DE136695976", options)).toMatchObject({
    result: "unavailable",
    consultation_number: null,
  });
});
