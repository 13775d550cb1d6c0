import { type ChildProcess, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SERVER_PATH } from "../../api/platform/server-path.ts";
import { Shopper } from "../api/people/checkout/shopper.ts";
import { makeAuthenticator } from "../api/staff/sign-in/authenticator.ts";
import { shopServices } from "../compose.ts";
import { eventually } from "../eventually.ts";
import { copyBase, type DebianBase, debianBase } from "./debian-base.ts";
import { bootMachine, type Machine } from "./machine.ts";
import { openOutside } from "./outside.ts";
import { makeRepository } from "./repository.ts";
import { inSandbox, quote } from "./sandbox.ts";

const BUILDAH = "buildah --storage-driver vfs";
const token = "t".repeat(40);
/** What compose.yaml takes from its environment and from .env. */
const SETTINGS: Readonly<Record<string, string>> = {
  BASE_URL: "https://shop.example",
  ERP_PULL_API_TOKEN: token,
  MARIADB_PASSWORD: "a-password",
};

const base = debianBase();
const inContainers = test.skipIf(!base);

interface Image {
  User: string;
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
}

let folder: string;
let image: Image;
let machine: Machine;
let database: ChildProcess;
let outside: Awaited<ReturnType<typeof openOutside>>;

/** Builds the image as the Dockerfile says, on a bare Debian that stands for debian:12-slim. Returns what runs it. */
async function buildImage(base: DebianBase, target: string): Promise<Image> {
  const root = join(folder, "builder");
  copyBase(base, root);
  const slim = join(root, "srv/slim");
  copyBase(base, slim);
  const own = process.env["NODE_EXTRA_CA_CERTS"];
  writeFileSync(join(slim, "etc/authorities.pem"), own ? readFileSync(own) : "");
  makeRepository(join(root, "srv/context"));
  const builder = await bootMachine({ root, packages: base.packages, env: {} });
  try {
    const online = (script: string) => builder.run(script, { online: true });
    online("apt-get update && apt-get install --yes --no-install-recommends buildah");
    builder.run(`container=$(${BUILDAH} from scratch)
      ${BUILDAH} config --env NODE_EXTRA_CA_CERTS=/etc/authorities.pem $container
      cp -a /srv/slim/. $(${BUILDAH} mount $container)
      ${BUILDAH} commit --rm $container docker.io/library/debian:12-slim`);
    const options = `--isolation chroot --pull-never --layers=false --build-arg BASE_URL=${SETTINGS["BASE_URL"]}`;
    online(`cd /srv/context && ${BUILDAH} bud ${options} -f nginx/production/containers/Dockerfile -t twinfront .`);
    const mounted = builder.run(`${BUILDAH} mount $(${BUILDAH} from --pull-never twinfront)`).trim();
    spawnSync("cp", ["-a", join(root, mounted), target]);
    return JSON.parse(builder.run(`${BUILDAH} inspect --type image twinfront`)).OCIv1.config;
  } finally {
    await builder.stop();
  }
}

/** MariaDB of this machine, in the network of the containers, where compose.yaml expects its own. */
function startDatabase(): ChildProcess {
  const data = join(folder, "mariadb");
  const options = ["--no-defaults", `--datadir=${data}`, "--user=root", "--innodb-log-file-size=16M"];
  const env = { ...process.env, PATH: SERVER_PATH };
  spawnSync("mariadb-install-db", [...options, "--auth-root-authentication-method=normal", "--skip-test-db"], { env });
  const begin = join(folder, "begin.sql");
  writeFileSync(
    begin,
    `CREATE DATABASE twinfront;
CREATE USER twinfront@localhost IDENTIFIED BY '${SETTINGS["MARIADB_PASSWORD"]}';
GRANT ALL ON twinfront.* TO twinfront@localhost;
`,
  );
  const server = machine.startOutside("/usr/sbin/mariadbd", [
    ...[...options, `--init-file=${begin}`, "--bind-address=127.0.0.1", "--port=3306"],
    ...[`--socket=${join(folder, "db.sock")}`, `--pid-file=${join(folder, "db.pid")}`],
    `--log-error=${join(folder, "db.log")}`,
  ]);
  appendFileSync(join(machine.root, "etc/hosts"), "127.0.0.1 localhost database\n");
  machine.run("until (exec 3<> /dev/tcp/127.0.0.1/3306) 2> /dev/null; do sleep 0.1; done");
  return server;
}

/** The command of a service of compose.yaml, or another one, in the container that it asks for. */
function containerOf(name: string, command?: readonly string[]): string {
  const service = Object.fromEntries(shopServices())[name];
  if (!service) throw new Error(`compose.yaml has no service ${name}.`);
  const [user = ""] = image.User.split(":");
  const given = Object.entries(service.environment).map(([key, value]) => `${key}=${interpolate(value)}`);
  const { BASE_URL, ERP_PULL_API_TOKEN } = SETTINGS;
  const fromFile = [`BASE_URL=${BASE_URL}`, `ERP_PULL_API_TOKEN=${ERP_PULL_API_TOKEN}`];
  return inSandbox((command ?? service.command ?? image.Cmd).map(quote).join(" "), {
    user,
    environment: [...image.Env, ...fromFile, ...given].map(quote),
    folder: image.WorkingDir,
    memory: service.tmpfs.map((path) => path.replace(/:.*$/, "")),
    // runc gives the container's user what its programs print to.
    before: [`chown ${user} /dev/stdout`],
  });
}

const interpolate = (value: string) => value.replace(/\$\{(\w+):\?\}/g, (_, name: string) => SETTINGS[name] ?? "");
const logOf = (name: string) => join(folder, `${name}.log`);
const logs = () => ["nginx", "api", "worker"].map((name) => readFileSync(logOf(name), "utf8")).join("\n");

beforeAll(async () => {
  if (!base) return;
  folder = mkdtempSync(join(tmpdir(), "twinfront-containers-"));
  const root = join(folder, "root");
  image = await buildImage(base, root);
  machine = await bootMachine({ root, packages: base.packages, env: {} });
  database = startDatabase();
  machine.run(containerOf("prepare"));
  for (const name of ["nginx", "api", "worker"]) machine.start(containerOf(name), logOf(name));
  outside = await openOutside(machine, 8080, join(folder, "http.sock"));
});
afterAll(async () => {
  outside?.close();
  database?.kill("SIGKILL");
  await machine?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

inContainers("the image's API becomes healthy, by compose.yaml's own check", async () => {
  const check = Object.fromEntries(shopServices())["api"]?.healthcheck?.test.slice(1).map(quote).join(" ");
  await eventually(() => expect(machine.run(`PATH=/srv/twinfront/node_modules/.bin:$PATH ${check}`)).toBe(""));
});

inContainers("the image's nginx answers with both faces", async () => {
  for (const [accept, begin] of [
    ["text/html", "<!DOCTYPE html>"],
    ["text/markdown", "---\n"],
  ] as const) {
    const answer = await fetch(`${outside.url}/products/tavrel-pip`, { headers: { accept } });
    expect([answer.status, (await answer.text()).slice(0, begin.length)]).toEqual([200, begin]);
  }
});

inContainers("an order placed in containers reaches the partner", async () => {
  const shopper = new Shopper(() => outside.url, "203.0.113.7");
  await shopper.fillBasket("TAV-PIP-1D:2");
  expect(await shopper.order(await shopper.review())).toEqual(["/account/orders/A-1001"]);
  const answer = await fetch(`${outside.url}/api/orders`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ orders: [{ number: "A-1001" }] });
});

inContainers("somebody who is invited in a container signs in with a passkey and reads the order", async () => {
  const invite = ["node", "nginx/local/shop-command.ts", "editor", "add", "Ann", "ann@shop.example", "--may", "orders"];
  const [, link] = /\/admin\/enrol#(\S+)/.exec(machine.run(containerOf("api", invite))) ?? [];
  const post = (path: string, body: object) =>
    fetch(outside.url + path, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { "content-type": "application/json", origin: "https://shop.example", "sec-fetch-site": "same-origin" },
    });
  const asked = await post("/api/admin/passkeys/options", { link });
  const options = (await asked.json()) as Parameters<ReturnType<typeof makeAuthenticator>["create"]>[0];
  const enrolled = await post("/api/admin/passkeys", { link, credential: makeAuthenticator().create(options) });
  expect(enrolled.status).toBe(204);
  const cookie = enrolled.headers
    .getSetCookie()
    .map((each) => each.replace(/;.*/, ""))
    .join("; ");
  const open = async (path: string) => (await fetch(outside.url + path, { headers: { cookie } })).text();
  expect(await open("/admin/orders")).toContain('href="/admin/orders/A-1001"');
  expect(await open("/admin/orders/A-1001")).toContain("TAV-PIP-1D");
  expect(await open("/admin/stock?q=TAV-PIP-1D")).toContain("TAV-PIP-1D");
  const signedOut = await fetch(`${outside.url}/admin/orders/A-1001`, { redirect: "manual" });
  expect(signedOut.headers.get("location")).toBe("/admin/sign-in?next=/admin/orders/A-1001");
});

inContainers("no process of a container is root, and none of them missed a file that it may not write", () => {
  const users = machine.run("stat -c %u /proc/[0-9]*/exe | sort -u; cat /proc/1/comm").split("\n");
  expect(users).toContain(image.User.split(":")[0]);
  expect(logs()).not.toMatch(/EACCES|EROFS|EPERM|Read-only|Permission denied/);
});
