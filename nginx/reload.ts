// Run by the `reload` in a written folder: takes the certificate, and has nginx read it and its configuration again.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { SERVER_PATH } from "../api/platform/server-path.ts";
import { readArguments } from "../api/read-arguments.ts";
import { StartError } from "./programs.ts";
import { nginxCommand, REFUSED, sendSignal } from "./render.ts";
import { pruneCertificates, type Taken, takeCertificate, waitForOthers } from "./take-certificate.ts";

const USAGE = `Usage: reload

Takes the certificate that the settings name, and has nginx read it and its configuration again. One that nginx couldn't
serve, or that browsers would refuse, is left where it is, and the one in use stays.

  reload --anyway   takes also one that browsers would refuse`;

const ANSWER_MS = 3_000;
/** In which nginx reads a configuration again, on a busy machine too. */
const RELOADED_WITHIN_MS = 10_000;

const { values, positionals } = readArguments(
  USAGE,
  { anyway: { type: "boolean" }, production: { type: "boolean" } },
  [6],
);
const [folder = "", certificate = "", key = "", host = "", address = "", port = ""] = positionals;
const isProduction = values.production ?? false;

try {
  await waitForOthers(folder);
  await reload();
} catch (error) {
  const isExpected = error instanceof StartError || (error instanceof Error && "syscall" in error);
  if (!isExpected) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** The rest is done also if the certificate is refused, since the configuration may be new. */
async function reload(): Promise<void> {
  const note = join(folder, REFUSED);
  let taken: Taken | undefined;
  try {
    const files = { certificate, key };
    const { anyway = false } = values;
    taken = takeCertificate({ folder, files, host, port: Number(port), isProduction, anyway });
    for (const warning of taken.warnings) console.error(`${certificate}: ${warning}`);
    rmSync(note, { force: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    writeFileSync(note, `${new Date().toISOString()} ${reason}\n`, { mode: 0o644 });
    console.error(`${reason}\nThe certificate in use stays.`);
    process.exitCode = 1;
  }
  if (!runShell(`${nginxCommand(folder, isProduction)} -e stderr -q -t`)) {
    taken?.goBack();
    throw new StartError(
      "nginx would refuse its configuration, for the reason above, and goes on with the one it has.",
    );
  }
  if (!runShell(sendSignal("HUP", folder, isProduction)))
    throw new StartError("nginx isn't running. It uses this certificate and configuration when it's started.");
  if (!taken) return;
  if (await isShown(taken.pair.own.fingerprint256)) return pruneCertificates(folder);
  taken.goBack();
  throw new StartError(
    `nginx doesn't show the certificate at port ${port}: see its error log. The one before is still in use.`,
  );
}

/** Whether the command succeeds; what it says goes to stderr. */
function runShell(command: string): boolean {
  const env = { ...process.env, PATH: SERVER_PATH };
  return spawnSync("sh", ["-c", command], { stdio: ["ignore", "ignore", "inherit"], env }).status === 0;
}

/** Whether nginx shows this certificate to new connections; until its workers are new, an old one may answer. */
async function isShown(fingerprint: string): Promise<boolean> {
  for (const end = Date.now() + RELOADED_WITHIN_MS; Date.now() < end; await sleep(100))
    if ((await readFingerprint().catch(() => undefined)) === fingerprint) return true;
  return false;
}

async function readFingerprint(): Promise<string> {
  const servername = isIP(host.replace(/[[\]]/g, "")) ? undefined : host;
  const options = { host: address, port: Number(port), servername, timeout: ANSWER_MS, rejectUnauthorized: false };
  const socket = connect(options);
  socket.once("timeout", () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
