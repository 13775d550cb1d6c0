import { expect, test } from "vitest";
import { merchantId } from "../../../site/src/resources/merchant-id.ts";

test("an id of up to 50 characters is unchanged", () => {
  for (const id of ["KES-C2", "x".repeat(50)]) expect(merchantId(id)).toBe(id);
});

test("longer ids are cut to 50 characters and stay unique", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `${"LONG-".repeat(11)}${index}`);
  const short = ids.map(merchantId);
  expect(new Set(short).size).toBe(ids.length);
  for (const id of short) expect(id).toMatch(/^(LONG-){7}LO-[0-9a-f]{12}$/);
  expect(ids.map(merchantId)).toEqual(short);
});
