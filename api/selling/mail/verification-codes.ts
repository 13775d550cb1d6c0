import { createHash, randomInt } from "node:crypto";
import { ago } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";

/** How long a code can be entered, and how long what it confirmed counts. */
export const VERIFIED_FOR_MS = 30 * 60_000;

/** Wrong codes until none is taken any more. */
export const CODE_TRIES = 5;

const DIGITS = 6;

/** With the verification's id, so that the hashes of equal codes differ. */
export const hashCode = (verificationId: number, code: string): string =>
  createHash("sha256").update(`${verificationId}\n${code}`).digest("hex");

/** Makes the code of a verification, of which only the hash is stored. Undefined once it can't be entered any more. */
export async function mintCode(db: Db, verificationId: number): Promise<string | undefined> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
  const { numUpdatedRows } = await db
    .updateTable("verifications")
    .set({ code_hash: hashCode(verificationId, code) })
    .where("id", "=", verificationId)
    .where("confirmed_at", "is", null)
    .where("created_at", ">", ago(VERIFIED_FOR_MS))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n ? code : undefined;
}
