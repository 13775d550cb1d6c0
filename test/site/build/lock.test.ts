import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askHolder, takeLock } from "../../../site/build/lock.ts";
import { eventually } from "../../eventually.ts";

const MODULE = join(import.meta.dirname, "../../../site/build/lock.ts");

test("one process has a lock, says who it is, and loses it when it's killed", async () => {
  const name = `test-${process.pid}`;
  const script = `import { takeLock } from ${JSON.stringify(MODULE)};
await takeLock(${JSON.stringify(name)}, (socket) => socket.end("the other"));
console.log("taken");
setInterval(() => {}, 1_000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  expect([await takeLock(name), await askHolder(name)]).toEqual([undefined, "the other"]);
  holder.kill("SIGKILL");
  await once(holder, "close");
  const lock = await eventually(async () => {
    const taken = await takeLock(name);
    expect(taken).toBeDefined();
    return taken;
  });
  lock?.close();
  await once(lock ?? holder, "close");
  expect(await askHolder(name)).toBe("");
});

test("whoever asks for a lock and is gone before the answer leaves its holder as it was", async () => {
  const name = `gone-${process.pid}`;
  const asked = Promise.withResolvers<void>();
  const lock = await takeLock(name, (socket) => {
    socket.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    asked.resolve();
  });
  onTestFinished(() => void lock?.close());
  connect(`\0twinfront-${name}`).on("error", () => {});
  await asked.promise;
  expect(await takeLock(name)).toBeUndefined();
});

test("the holder of a lock that has nothing to say answers at once", async () => {
  const name = `silent-${process.pid}`;
  const lock = await takeLock(name);
  onTestFinished(() => void lock?.close());
  expect(await askHolder(name)).toBe("");
});
