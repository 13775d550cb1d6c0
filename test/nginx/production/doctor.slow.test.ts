import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { requestFile, requestPublication } from "../../../site/admin/publication/request.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { runNginx } from "../run-nginx.ts";

const root = join(import.meta.dirname, "../../..");
/** Whether this process may mount a disk of its own. */
const canMount = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

function doctor(env: Record<string, string>, inside: readonly string[] = []) {
  const [program = "", ...args] = [...inside, process.execPath, "nginx/production/doctor.ts"];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    env: { ...bareEnvironment(), ...env },
    encoding: "utf8",
  });
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

test("where nothing runs, the doctor names each part that is away, and exits with 2", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "twinfront-data-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const [port, apiPort] = [await findFreePort(), await findFreePort()];
  const { status, lines, stderr } = doctor({ PORT: `${port}`, API_PORT: `${apiPort}`, DATA_DIR: dataDir });
  expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  expect(lines).toEqual(
    expect.arrayContaining([
      "  ✓ settings   complete",
      expect.stringMatching(/^ {2}✗ nginx {6}http:\/\/127\.0\.0\.1:\d+\/ doesn't answer \(.+ECONNREFUSED/),
      expect.stringMatching(/^ {2}✗ API {8}nothing answers at .+ECONNREFUSED.+: start it$/),
      "  ✗ database   none: set DATABASE_URL, or run npm start beside this",
    ]),
  );
});

test("the doctor looks at each of several APIs, and not at a data folder that a database elsewhere makes needless", async () => {
  const [port, first, second] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const { lines, stderr } = doctor({
    ...{ PORT: `${port}`, API_PORT: `${first},${second}`, DATA_DIR: "/nowhere/at/all" },
    DATABASE_URL: "mysql://a@127.0.0.1:1/b",
  });
  expect(stderr).toBe("");
  expect(lines.filter((line) => line.includes("✗ API"))).toEqual([
    expect.stringContaining(`:${first}/api/health/ready`),
    expect.stringContaining(`:${second}/api/health/ready`),
  ]);
  expect(lines.join("\n")).toContain("✗ database   The database in DATABASE_URL doesn't respond");
  expect(lines.join("\n")).not.toContain("DATA_DIR");
});

test("the doctor warns of a database on this machine that others reach, and looks at both kinds of nginx's addresses", async () => {
  const port = await findFreePort();
  for (const [host, warnings] of [
    ["127.0.0.1", []],
    ["0.0.0.0", [expect.stringContaining(`port ${port} is open to other machines. Unless that is meant: systemctl`)]],
  ] as const) {
    const server = createServer((socket) => socket.destroy()).listen(port, host);
    await once(server, "listening");
    const { lines } = doctor({ HOST: "::", PORT: "1", DATABASE_URL: `mysql://a@127.0.0.1:${port}/b` });
    expect(lines.filter((line) => line.includes("! database"))).toEqual(warnings);
    expect(lines.filter((line) => line.includes(" nginx ")).map((line) => /http\S+/.exec(line)?.[0])).toEqual([
      ...["http://127.0.0.1:1/", "http://[::1]:1/"],
    ]);
    server.close();
    await once(server, "close");
  }
});

test.skipIf(!canMount)("the doctor asks at no address of IPv6 where the machine has none (run as root)", () => {
  const { lines } = doctor({ HOST: "::", PORT: "1", DATABASE_URL: "mysql://a@127.0.0.1:1/b" }, ["unshare", "--net"]);
  expect(lines.filter((line) => line.includes(" nginx ")).map((line) => /http\S+/.exec(line)?.[0])).toEqual([
    "http://127.0.0.1:1/",
  ]);
});

test("the doctor says for how long an editor has waited for a publication", async () => {
  const repository = mkdtempSync(join(tmpdir(), "twinfront-content-"));
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }));
  const editors = () => {
    const { lines } = doctor({
      CONTENT_REPOSITORY: repository,
      BASE_URL: "https://shop.example",
      DATA_DIR: repository,
    });
    return lines.find((line) => line.includes(" editors "));
  };
  expect(editors()).toBe("  ✓ editors    nothing waits to be published");
  requestPublication(repository, { id: "1", editor: { name: "Ann", email: "a@b.example" }, drafts: "", files: [], mayShop: true });
  const hourAgo = new Date(Date.now() - 3_600_000);
  expect(editors()).toBe("  ✓ editors    a publication was asked for 0 minutes ago");
  utimesSync(requestFile(repository), hourAgo, hourAgo);
  expect(editors()).toMatch(/^ {2}✗ editors {4}a publication was asked for 60 minutes ago: systemctl status /);
  rmSync(repository, { recursive: true });
  expect(editors()).toMatch(
    /^ {2}✗ editors {4}.* is missing, which CONTENT_REPOSITORY names: on a host, npm run install:host/,
  );
});

test.skipIf(!canMount)(
  "the doctor says which disk is full, once for all that is on it, also of files that are too many (run as root)",
  () => {
    const [dataDir, mails] = ["data", "mails"].map((name) => mkdtempSync(join(tmpdir(), `twinfront-${name}-`)));
    if (!dataDir || !mails) throw new Error("There are no folders.");
    onTestFinished(() => {
      spawnSync("umount", [dataDir, mails]);
      for (const folder of [dataDir, mails]) rmSync(folder, { recursive: true });
    });
    const disks = () => {
      const { lines } = doctor({ DATA_DIR: dataDir, MAIL_FOLDER: mails, RELEASES_DIR: dataDir });
      return lines.filter((line) => / disk .*(DATA_DIR|mails)/.test(line)).map((line) => line.replace(/, \d+ GB/, ""));
    };
    const mount = (folder: string, options: string) =>
      expect(spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder]).status).toBe(0);
    mount(dataDir, "size=1m");
    mount(mails, "size=1m,nr_inodes=2");
    writeFileSync(join(dataDir, "some"), Buffer.alloc(950_000));
    writeFileSync(join(mails, "one.eml"), "");
    expect(disks()).toEqual([
      "  ! disk       of DATA_DIR and releases: 9% free: make room",
      "  ✗ disk       of mails: 0% free (of the number of files that fit, 0 left): make room now",
    ]);
    spawnSync("umount", [mails]);
    rmSync(mails, { recursive: true });
    expect(disks().at(-1)).toBe(`  ! disk       of mails: ${mails} can't be read`);
    mkdirSync(mails);
  },
);

test("the doctor says which setting is wrong, without its value", () => {
  const { status, lines, stderr } = doctor({ ERP_PULL_API_TOKEN: "too-short-a-secret" });
  expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  expect(lines.join("\n")).toMatch(/✗ settings {3}Invalid settings:\n.+ERP_PULL_API_TOKEN/);
  expect(lines.join("\n")).not.toContain("too-short");
});

test("with TLS in nginx, the doctor asks nginx itself, and says how long the certificate is valid that it shows, and why it isn't the renewed one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const make = (days: number) => {
    const type = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=shop.example"];
    const args = ["req", "-x509", ...type, "-days", `${days}`, "-out", certificate, "-keyout", key];
    execFileSync("openssl", args, { stdio: "ignore" });
  };
  make(5);
  const port = await findFreePort();
  const nginx = await runNginx({ "index.html": "<html>" }, undefined, [], { tls: { certificate, key, port } });
  make(60);
  const settings = { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_PORT: `${port}`, PORT: `${nginx.port}` };
  const lineOf = (part: string) => {
    const { lines } = doctor({ ...settings, BASE_URL: "https://shop.example", DATA_DIR: folder });
    return lines.find((line) => line.includes(` ${part} `));
  };
  const tls = () => lineOf("TLS");
  // Nothing answers at the shop's own address.
  expect(lineOf("nginx")).toBe(`  ✓ nginx      answers at https://shop.example/ at 127.0.0.1:${port}`);
  expect(tls()).toMatch(/^ {2}✗ TLS {8}valid for 4 days: nginx doesn't use .+, which is valid until .+ GMT: run its /);
  writeFileSync(key, "");
  expect(tls()).toMatch(/^ {2}✗ TLS {8}valid for 4 days: .+key\.pem is empty/);
  rmSync(certificate);
  expect(tls()).toMatch(/^ {2}✗ TLS {8}valid for 4 days: .+ or its key isn't there$/);
  await nginx.stop();
  expect(tls()).toMatch(/^ {2}✗ TLS {8}nginx shows no certificate at port \d+ \(.*ECONNREFUSED/);
});
