import Type from "typebox";
import { Compile } from "typebox/schema";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import { readVatNumber, type VatNumber } from "./vat-number.ts";

interface VatCheckOptions {
  /** Where VIES's REST service is, https unless it's this machine; undefined: nobody is asked. */
  url: string | undefined;
  /** For the whole conversation. */
  timeoutMs: number;
  /** The shop's own VAT number, without which VIES gives no consultation number. */
  shopRegistration: string | null;
}

/** The part of VIES's answer that we use; other errors have no `valid`. */
const Answer = Type.Object({
  countryCode: Type.String(),
  vatNumber: Type.String(),
  valid: Type.Boolean(),
  userError: Type.Optional(Type.String()),
  requestIdentifier: Type.Optional(Type.Union([Type.String({ pattern: "^[ -~]{0,64}$" }), Type.Null()])),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  address: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const answer = Compile(Answer);

/**
 * Asks the European Commission's VIES whether a VAT number is registered. It never throws: `unavailable` is any answer
 * that says neither valid nor invalid, and none. A number whose form isn't valid is `invalid` without a question.
 */
export async function checkVatNumber(
  vatId: string,
  { url, timeoutMs, shopRegistration }: VatCheckOptions,
): Promise<StoredVatCheck> {
  const asked = readVatNumber(vatId);
  const nobody = { trader_name: null, trader_address: null };
  const unanswered = { result: asked ? "unavailable" : "invalid", consultation_number: null, ...nobody } as const;
  const result =
    asked && url !== undefined
      ? await ask(url, asked, shopRegistration, timeoutMs).catch(() => unanswered)
      : unanswered;
  const vat_id = asked ? asked.country + asked.number : vatId;
  return { vat_id, checked_at: new Date().toISOString(), ...result };
}

/** Throws when there is no answer that can be used. */
async function ask(url: string, { country, number }: VatNumber, shopRegistration: string | null, timeoutMs: number) {
  const requester = shopRegistration === null ? undefined : readVatNumber(shopRegistration);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      countryCode: country,
      vatNumber: number,
      ...(requester && { requesterMemberStateCode: requester.country, requesterNumber: requester.number }),
    }),
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const said: unknown = JSON.parse(await readText(response));
  if (!response.ok || !answer.Check(said)) throw new Error("VIES answered otherwise than documented.");
  const isAboutIt = said.countryCode === country && said.vatNumber === number;
  const verdict = said.valid ? "VALID" : "INVALID";
  if (!isAboutIt || (said.userError ?? verdict) !== verdict) throw new Error("VIES didn't check it.");
  return {
    result: said.valid ? "valid" : "invalid",
    consultation_number: said.requestIdentifier || null,
    trader_name: readTrader(said.name, 200),
    trader_address: readTrader(said.address, 400),
  } as const;
}

/**
 * A trader's name or address on one line, the lines of an address apart by commas, without what can't be seen and cut to
 * so many characters. Null where the member state gives none, which VIES writes as "---".
 */
function readTrader(text: string | null | undefined, characters: number): string | null {
  const lines = (text ?? "")
    .toWellFormed()
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) =>
      line
        .replaceAll(/\p{Cc}/gu, " ")
        .replaceAll(/\p{C}/gu, "")
        .replaceAll(/\s+/g, " "),
    )
    .map((line) => line.replaceAll(/^[ ,]+|[ ,]+$/g, ""));
  const shown = [...lines.filter(Boolean).join(", ")].slice(0, characters).join("");
  return /[\p{L}\p{N}]/u.test(shown) ? shown : null;
}

const MAX_BYTES = 64 * 1_024;

/** The body, up to 64 KiB. Throws if it is longer. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("The answer is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
