import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { at, openOrderingShop, runOrderCommand, startOutput } from "./ordering-shop.ts";

const README = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");

openOrderingShop();

/** The shell blocks of README's part on what to do next, for this shop instead of one on port 8080. */
function readBlocks(): string[] {
  const [, part = ""] = /^## What to do next\n([\s\S]*?)^## /m.exec(README) ?? [];
  const blocks = Array.from(part.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, block = ""]) => block);
  return blocks.map((block) => block.replaceAll("http://127.0.0.1:8080", at("")));
}

test("README's commands show both faces, place an order, record its payment, pull it and read a price", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [faces = "", placing = "", recording = "", pulling = "", reading = ""] = readBlocks();
  const bash = async (script: string) =>
    (
      await promisify(execFile)("bash", ["-ec", script], {
        cwd: folder,
        env: { ...process.env, TMPDIR: folder },
        maxBuffer: 1e7,
      })
    ).stdout;

  const shown = await bash(faces);
  expect(shown).toContain("<h1>Tavrel Pip pocket scanner</h1>");
  expect(shown).toContain("\n# Tavrel Pip pocket scanner\n");
  // The number that README's comment promises, after the demo orders.
  const [, number = ""] = /orders\/(A-\d+)/.exec(placing) ?? [];
  expect(await bash(placing)).toBe(`${at("/account/orders/")}${number}\n`);
  const [, action = ""] = /^npm run order -- (.+?) +#/m.exec(recording) ?? [];
  await runOrderCommand(...action.split(" "));
  const [, token = ""] = /Bearer ([^"]+)"/.exec(startOutput()) ?? [];
  const asPartner = (block: string) => bash(block.replace(/TOKEN=.*$/m, `TOKEN=${token}`));
  const { orders } = JSON.parse(await asPartner(pulling));
  expect(orders).toMatchObject([{ number, payment_status: "paid", buyer: { email: "ada@novak.example" } }]);
  expect(await asPartner(reading)).toContain('"price":"89.00"');
});
