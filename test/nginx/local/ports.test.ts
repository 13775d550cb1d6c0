import { expect, test } from "vitest";
import { findFreePort, reservePort } from "../../../nginx/local/ports.ts";

test("2,000 ports found one after the other, with nobody listening yet, are all different", async () => {
  const ports = [await findFreePort()];
  await reservePort("PORT", "127.0.0.1", ports[0] ?? 0);
  // Chance alone, with 22,000 to choose from, would repeat itself within a few hundred.
  while (ports.length < 2_000) ports.push(await findFreePort());
  expect(new Set(ports).size).toBe(ports.length);
});
