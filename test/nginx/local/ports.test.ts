import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { localUrl } from "../../../nginx/local/ports.ts";
import { bareEnvironment } from "../../bare-environment.ts";

const PORTS = new URL("../../../nginx/local/ports.ts", import.meta.url);
const FIND = `
  const { findFreePort, reservePort } = await import("${PORTS}");
  const ports = [await findFreePort()];
  await reservePort("PORT", "127.0.0.1", ports[0]);
  while (ports.length < 1_000) ports.push(await findFreePort());
  console.log(JSON.stringify(ports));
  process.stdin.resume();
`;

/** Ports found one after the other by a process that goes on until the test ends. */
async function findInProcess(): Promise<number[]> {
  const args = ["--input-type=module", "--eval", FIND];
  const child = spawn(process.execPath, args, { env: bareEnvironment(), stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.stdin.end());
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  throw new Error("It found no ports.");
}

test("ports found by two processes, with nobody listening yet, are all different", async () => {
  const ports = (await Promise.all([findInProcess(), findInProcess()])).flat();
  // Chance alone, with 22,000 to choose from, would repeat itself within a few hundred.
  expect(ports).toHaveLength(2_000);
  expect(new Set(ports).size).toBe(2_000);
});

test("what listens everywhere is asked where every machine has an address, also one without IPv6", () => {
  const asked = ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1"].map((host) => localUrl({ host, port: 80 }));
  expect(asked).toEqual([
    "http://127.0.0.1:80",
    "http://127.0.0.1:80",
    "http://192.0.2.1:80",
    "http://[2001:db8::1]:80",
  ]);
});
