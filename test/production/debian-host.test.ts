import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Shopper } from "../api/people/checkout/shopper.ts";
import { debianProgram } from "../debian-program.ts";
import { openEditor } from "../end-to-end/editor.ts";
import { eventually } from "../eventually.ts";
import { copyBase, debianBase } from "./debian-base.ts";
import { openOutside } from "./outside.ts";
import { commit, makeRepository } from "./repository.ts";
import { bootSystemd, type Host, nspawn } from "./systemd.ts";

const DOMAIN = "shop.example";
const PEBBLE_CERTIFICATE = "/etc/pebble/certificate.pem";

/** Debian's installer adds these to the base. */
const base = debianBase("systemd-sysv", "dbus");
const pebble = debianProgram("pebble", "usr/bin/pebble");
const onHost = test.skipIf(!base || !pebble || !nspawn);

let folder: string;
let machine: Host;
let outside: Awaited<ReturnType<typeof openOutside>>;

/** What isn't run as it is written. */
const STAND_INS: readonly [line: RegExp, standIn: () => unknown][] = [
  // It gives each answer three seconds, which a busy machine may not keep.
  [/^npm run doctor$/, () => eventually(() => runCommand("npm run doctor"))],
  // The operator's own lines.
  [/^(?:DOMAIN|EMAIL|SMTP_URL|REPOSITORY)=/, () => {}],
];
const OWN_LINES = `export DOMAIN=${DOMAIN} EMAIL=owner@${DOMAIN} SMTP_URL=smtp://127.0.0.1:25 REPOSITORY=file:///srv/repository\n`;
/** The machine has a network of its own, without the registries; these lines get this machine's. */
const ONLINE = /^(?:apt-get|npm run setup)\b/;

const readme = readFileSync(join(import.meta.dirname, "../../nginx/production/README.md"), "utf8");

/** The commands of a part of the operator's README, in order; its comments aren't any. */
function readPart(title: string): string[] {
  const [, page = ""] = new RegExp(`^## ${title}\\n([\\s\\S]*?)^## `, "m").exec(readme) ?? [];
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  // A line with an open quote goes on in the next one.
  const lines = blocks.flatMap((block) => block.trimEnd().split(/\n(?=(?:[^"]*"[^"]*")*[^"]*$)/));
  return lines.filter((line) => !line.startsWith("#"));
}

/** Runs a command with the variables and in the folder that the commands before it left. */
function runCommand(command: string): string {
  const state = "/root/.shell";
  const script = `. ${state}\nset -a\n${command}\nset +a\n{ export -p; echo "cd '$PWD'"; } > ${state}`;
  return machine.run(script, { online: ONLINE.test(command) });
}

/** Runs the commands of a part of README. Returns what the last one printed. */
async function runPart(title: string): Promise<string> {
  let printed = "";
  for (const command of readPart(title)) {
    const [, standIn] = STAND_INS.find(([line]) => line.test(command)) ?? [];
    if (standIn) await standIn();
    else printed = runCommand(command);
    if (command.startsWith("apt-get install")) startAuthority();
  }
  return printed;
}

/** The authority that signs certificates, and its name service, are out in the world. */
function startAuthority(): void {
  const { root } = machine;
  cpSync(pebble ?? "", join(root, "usr/local/bin/pebble"));
  const [key, certificate] = ["/etc/pebble/key.pem", PEBBLE_CERTIFICATE];
  const settings = {
    ...{ listenAddress: "127.0.0.1:14000", managementListenAddress: "127.0.0.1:15000", httpPort: 80, tlsPort: 443 },
    ...{ certificate, privateKey: key, ocspResponderURL: "" },
  };
  mkdirSync(join(root, "etc/pebble"));
  writeFileSync(join(root, "etc/pebble/config.json"), JSON.stringify({ pebble: settings }));
  machine.run(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -out ${certificate} -keyout ${key}`,
  );
  // By default it also refuses 5 % of the good nonces; certbot tries once more, so now and then it would fail.
  const behaviour = "--setenv=PEBBLE_VA_NOSLEEP=1 --setenv=PEBBLE_WFE_NONCEREJECT=0";
  machine.run(`systemd-run --unit=pebble ${behaviour} pebble -config /etc/pebble/config.json`);
  const authority = "server = https://127.0.0.1:14000/dir\n";
  writeFileSync(join(root, "etc/letsencrypt/cli.ini"), authority);
  appendFileSync(join(root, "etc/hosts"), `127.0.0.1 ${DOMAIN}\n`);
  const ask = `require("https").get("https://127.0.0.1:15000/roots/0", { rejectUnauthorized: false }, (a) => a.pipe(process.stdout))`;
  machine.run(`until node -e '${ask}' > /etc/pebble/root.pem; do sleep 0.1; done
    cat /etc/pebble/root.pem >> "$NODE_EXTRA_CA_CERTS"`);
}

/** A way to the shop's TLS port, whose network is new after each boot. */
async function openShop(): Promise<void> {
  outside?.close();
  const tls = { domain: DOMAIN, authority: join(machine.root, "etc/authorities.pem") };
  outside = await openOutside(machine, 443, join(mkdtempSync(join(folder, "way-")), "https.sock"), tls);
}

/** A shop's own repository, out in the world too: the machine reaches it at README's address. */
function startRepository(): void {
  const [shop, own] = [join(folder, "shop"), join(machine.root, "srv/shop.git")];
  cpSync(join(machine.root, "srv/repository/content"), join(shop, "content"), { recursive: true });
  appendFileSync(join(shop, "content/pages/about.md"), "\nNow beside the checkout.\n");
  commit(shop, "Our own shop");
  execFileSync("git", ["clone", "--quiet", "--bare", shop, own]);
  const options = "--listen=127.0.0.1 --base-path=/srv --export-all --enable=receive-pack";
  machine.run(`systemd-run --unit=git-example git daemon ${options}
    git config --global url.git://127.0.0.1/.insteadOf https://git.example/
    until git ls-remote https://git.example/shop.git; do sleep 0.1; done`);
}

/** A clock that shows eleven, so that no nightly timer comes due meanwhile. */
function localtime(): string {
  const hours = 11 - new Date().getUTCHours();
  // POSIX counts the other way: Etc/GMT-5 is five hours ahead of Greenwich.
  return `/usr/share/zoneinfo/Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

beforeAll(async () => {
  if (!base || !pebble || !nspawn) return;
  folder = mkdtempSync(join(tmpdir(), "twinfront-host-"));
  const root = join(folder, "root");
  copyBase(base, root);
  makeRepository(join(root, "srv/repository"));
  const own = process.env["NODE_EXTRA_CA_CERTS"];
  writeFileSync(join(root, "etc/authorities.pem"), own ? readFileSync(own) : "");
  const env = { NODE_EXTRA_CA_CERTS: "/etc/authorities.pem", REQUESTS_CA_BUNDLE: PEBBLE_CERTIFICATE };
  // The authority is one that everybody trusts, services too.
  mkdirSync(join(root, "etc/systemd/system.conf.d"));
  const trust = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  writeFileSync(
    join(root, "etc/systemd/system.conf.d/trust.conf"),
    `[Manager]\nDefaultEnvironment=${trust.join(" ")}\n`,
  );
  rmSync(join(root, "etc/localtime"), { force: true });
  symlinkSync(localtime(), join(root, "etc/localtime"));
  machine = await bootSystemd({ root, packages: base.packages, env });
  await openShop();
  writeFileSync(join(machine.root, "root/.shell"), OWN_LINES);
  await runPart("From a bare Debian to a live shop");
});
afterAll(async () => {
  outside?.close();
  await machine?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

const product = "/products/tavrel-pip";
const ask = (path: string, accept: string) => fetch(outside.url + path, { headers: { accept }, redirect: "manual" });
const logOf = (unit: string) => machine.run(`journalctl --quiet --no-pager --unit ${unit}`);
const setting = (name: string) =>
  new RegExp(`^${name}=(.+)$`, "m").exec(readFileSync(join(machine.root, "etc/twinfront/settings.env"), "utf8"))?.[1];

/** Both faces of a product, over TLS. */
async function expectFaces(): Promise<void> {
  for (const [accept, begin] of [
    ["text/html", "<!DOCTYPE html>"],
    ["text/markdown", "---\n"],
  ] as const) {
    const answer = await ask(product, accept);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, `${accept}; charset=utf-8`]);
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect((await answer.text()).slice(0, begin.length)).toBe(begin);
  }
}

/** Orders as a visitor does. Returns the order's page. */
async function order(): Promise<string[]> {
  const shopper = new Shopper(() => outside.url, "203.0.113.7");
  await shopper.fillBasket("TAV-PIP-1D:2");
  return shopper.order(await shopper.review());
}

/** The numbers of the orders that the partner gets. */
async function pulledOrders() {
  const headers = { authorization: `Bearer ${setting("ERP_PULL_API_TOKEN")}` };
  return (await fetch(`${outside.url}/api/orders`, { headers })).json();
}

/** The ports on which other machines reach this one, as proc_net_tcp(5) has them. */
function openPorts(): number[] {
  const sockets = machine.run("cat /proc/net/tcp /proc/net/tcp6");
  // 127.0.0.1 and ::1, in the order of this processor's bytes. 0A is LISTEN.
  const ports = [...sockets.matchAll(/: (?!0100007F:|0{24}01000000:)\w+:(\w+) \w+:\w+ 0A /g)];
  return [...new Set(ports.map(([, port = ""]) => Number.parseInt(port, 16)))].sort((a, b) => a - b);
}

onHost("the commands of README's page lead from a bare Debian 12 to a shop over TLS, in both faces", async () => {
  await expectFaces();
  const plain = machine.run(`exec 3<> /dev/tcp/127.0.0.1/80
    printf 'GET ${product} HTTP/1.1\\r\\nHost: ${DOMAIN}\\r\\nConnection: close\\r\\n\\r\\n' >&3
    cat <&3`);
  expect(plain).toMatch(/^HTTP\/1\.1 301 [\s\S]*\nLocation: https:\/\/shop\.example\/products\/tavrel-pip\r\n/);
  expect(openPorts()).toEqual([80, 443]);
});

onHost("an order placed there reaches the partner", async () => {
  expect(await order()).toEqual(["/account/orders/A-1001"]);
  expect(await pulledOrders()).toMatchObject({ orders: [{ number: "A-1001", buyer: { email: "ada@novak.example" } }] });
});

onHost("certbot's renewal puts the new certificate into use", async () => {
  const serial = () =>
    machine.run(
      `openssl s_client -connect 127.0.0.1:443 -servername ${DOMAIN} < /dev/null 2> /dev/null | openssl x509 -noout -serial`,
    );
  const before = serial();
  machine.run("certbot -q renew --force-renewal --no-random-sleep-on-renew");
  await eventually(() => expect(serial()).not.toBe(before));
});

onHost(
  "new content is published as README says, a second time changes nothing, and a rollback takes it back",
  async () => {
    const about = join(machine.root, "srv/repository/content/pages/about.md");
    const published = async () => (await ask("/about.md", "*/*")).text();
    const links = () => readdirSync(join(machine.root, "var/lib/twinfront/releases")).sort();
    appendFileSync(about, "\nNow in a bigger house.\n");
    // Counting takes that.
    const store = join(machine.root, "srv/repository/content/store.yaml");
    writeFileSync(store, readFileSync(store, "utf8").replace("due_days: 14", "$&\n    cancel_after_days: 21"));
    commit(join(machine.root, "srv/repository"), "Say where we are");
    machine.run("cd /srv/twinfront && git pull");
    machine.run("systemctl start twinfront-site");
    expect(links()).toEqual(["1", "2", "current"]);
    await eventually(async () => expect(await published()).toContain("Now in a bigger house."));
    // Their packages are the same files.
    const [first, second] = [1, 2].map((release) =>
      statSync(join(machine.root, `var/lib/twinfront/releases/${release}/node_modules/.pnpm/lock.yaml`)),
    );
    expect(second?.ino).toBe(first?.ino);
    machine.run("systemctl start twinfront-site");
    expect(links()).toEqual(["1", "2", "current"]);
    machine.run("systemctl start twinfront-rollback");
    await eventually(async () => expect(await published()).not.toContain("Now in a bigger house."));
    const former = machine.run("git -C /srv/twinfront rev-parse --short HEAD~1").trim();
    expect(logOf("twinfront-rollback")).toContain(`git checkout ${former}\n`);
  },
);

onHost("with README's commands for an upgrade, the host runs and shows what has changed", async () => {
  const repository = join(machine.root, "srv/repository");
  appendFileSync(join(repository, "content/pages/about.md"), "\nNow with a new version.\n");
  appendFileSync(join(repository, "api/platform/http/health.ts"), '\nconsole.log("The new version runs.");\n');
  commit(repository, "Upgrade");
  await runPart("Upgrade the host");
  await eventually(async () => expect(await (await ask("/about.md", "*/*")).text()).toContain("with a new version"));
  await eventually(() => expect(logOf("twinfront-api@3000")).toContain("The new version runs."));
});

onHost(
  "with README's commands for a shop beside the checkout, the host shows that content and takes orders",
  async () => {
    startRepository();
    await runPart("A shop beside the checkout");
    await eventually(async () =>
      expect(await (await ask("/about.md", "*/*")).text()).toContain("Now beside the checkout"),
    );
    // Git reads root's folder only where the unit says that it may.
    expect(logOf("twinfront-site")).not.toContain("have no date");
    await expectFaces();
    expect(await order()).toEqual(["/account/orders/A-1002"]);
  },
);

onHost(
  "services can read the settings but not write where they are, and the first backup is there, restored on trial",
  () => {
    const { root } = machine;
    const backups = readdirSync(join(root, "var/lib/twinfront-backups"));
    expect(backups).toEqual([expect.stringMatching(/^\d{4}-[\dTZ-]+$/), "restored.txt"]);
    expect(logOf("twinfront-worker")).not.toMatch(/EACCES|EROFS|EPERM/);
  },
);

onHost("with README's commands for editors, a price that one changes is published by the host's units", async () => {
  const link = (await runPart("Editors on the host")).trim().split(/\s/).at(-1) ?? "";
  const [, addRemote = ""] = /`(runuser [^`]+ remote add origin) …`/.exec(readme) ?? [];
  machine.run(`${addRemote} git://127.0.0.1/shop.git`);
  const ann = await openEditor(outside.url, `https://${DOMAIN}`, link);
  const prices = "/admin/prices?category=barcode-scanners";
  const [name = ""] = /price:[^"]*tavrel-pip[^"]*/.exec(await ann.read(prices)) ?? [];
  const saved = await ann.submit(prices, "/admin/prices", { [name]: "98.76" });
  expect([saved.status, await saved.text()]).toEqual([200, expect.stringContaining("Saved as drafts")]);
  expect(await ann.read(`/admin/preview${product}`)).toContain("98.76");
  expect((await ask(product, "text/markdown").then((answer) => answer.text())).includes("98.76")).toBe(false);
  expect((await ann.submit("/admin/publish", "/admin/publish")).status).toBe(303);
  // twinfront-publish.path starts it.
  const journal = "journalctl --follow --lines all --unit twinfront-publish 2> /dev/null";
  machine.run(`grep --quiet --extended-regexp '(Finished|Failed to start) twinfront-publish' < <(${journal})`);
  expect(await ann.read("/admin/publish")).toContain("What Ann Archer has published is live.");
  await eventually(async () => expect(await (await ask(product, "text/markdown")).text()).toContain("98.76"));
  // The shop's own repository has it.
  const file = "content/products/barcode-scanners/tavrel-pip.md";
  machine.run(`git -C /srv/shop pull && grep -q 98.76 /srv/shop/${file}`);
  expect(machine.run(`git -C /srv/shop log --format=%an -- ${file}`)).toContain("Ann Archer\n");
  expect(machine.run("git -C /srv/shop ls-tree --name-only HEAD")).toBe("content\n");
  const content = "/var/lib/twinfront/content.git";
  expect(machine.run(`find ${content} ! -user twinfront-site`)).toBe("");
  machine.run("systemctl start twinfront-backup");
  expect(machine.run("ls /var/lib/twinfront-backups/*/{content,shop}.bundle")).toMatch(/^\S+\n\S+\n$/);
  expect(logOf("twinfront-admin")).not.toMatch(/EACCES|EROFS|EPERM/);
});

onHost("a developer clones what editors have published, and pushes to it, as README says", async () => {
  const [clone = "", push = ""] = ["upload", "receive"].map(
    (name) => new RegExp(`--${name}-pack='[^']+'`).exec(readme)?.[0],
  );
  machine.run(`cd /root && git clone ${clone} file:///var/lib/twinfront/content.git work && cd work
    grep -q 98.76 content/products/barcode-scanners/tavrel-pip.md
    echo 'Written by a developer.' >> content/pages/about.md
    git -c user.name=Dev -c user.email=dev@${DOMAIN} commit --all --message 'Say who wrote it'
    git push ${push} origin main`);
  machine.run("systemctl start twinfront-site");
  await eventually(async () => expect(await (await ask("/about", "text/markdown")).text()).toContain("by a developer"));
  expect(machine.run("find /var/lib/twinfront/content.git ! -user twinfront-site")).toBe("");
});

onHost("after a reboot, all that README starts is active, the doctor is content, and orders arrive", async () => {
  await machine.reboot();
  await openShop();
  const units = [...readme.matchAll(/^systemctl enable --now (.+)$/gm)].map(([, names]) => names).join(" ");
  // Of several, `is-active` is content with one (systemctl(1)).
  machine.run(`for unit in ${units}; do systemctl is-active "$unit"; done`);
  await eventually(() => runCommand("npm run doctor"));
  expect(openPorts()).toEqual([80, 443]);
  expect(machine.run("cat /proc/net/tcp6")).toMatch(/: 0{32}:0050 /);
  const limit = () => machine.run("nft list table inet twinfront");
  expect(limit()).toContain("ct count over 256 } drop");
  machine.run("nft flush ruleset; systemctl start twinfront-doctor || true");
  expect(limit()).toContain("ct count over 256 } drop");
  await expectFaces();
  expect(await order()).toEqual(["/account/orders/A-1003"]);
  const orders = ["A-1001", "A-1002", "A-1003"].map((number) => ({ number }));
  expect(await pulledOrders()).toMatchObject({ orders });
});

onHost("pages follow a count within the current release, also after a rollback", async () => {
  const releases = join(machine.root, "var/lib/twinfront/releases");
  const current = () => readlinkSync(join(releases, "current"));
  const expectWord = (word: string) =>
    eventually(async () => {
      for (const face of ["text/html", "text/markdown"])
        expect([face, await (await ask("/products/quillon-dot", face)).text()]).toEqual([
          face,
          expect.stringContaining(word),
        ]);
    });
  const before = current();
  machine.run("cd /srv/twinfront && npm run -s stock -- set QUI-DOT-USB 0");
  await expectWord("Out of stock");
  expect(current()).toBe(before);
  // Said once the build has ended, a moment after it's shown.
  await eventually(() => expect(logOf("twinfront-refresh")).toMatch(/\d+ of \d+ files have changed/));
  expect(logOf("twinfront-refresh")).not.toMatch(/EACCES|EROFS|EPERM/);
  expect(machine.run(`find /var/lib/twinfront/releases ! -user twinfront-site`)).toBe("");
  machine.run("systemctl start twinfront-site");
  expect(current()).toBe(before);
  machine.run("systemctl start twinfront-rollback");
  await expectWord("Out of stock");
  machine.run("systemctl start twinfront-site");
  expect(current()).not.toBe(before);
});

onHost("units that can't start for a while come back on their own, and until then the doctor names them", async () => {
  const units = ["twinfront-api@3000", "twinfront-worker", "twinfront-nginx"].map((name) => `${name}.service`);
  const folders = units.map((unit) => `/run/systemd/system/${unit}.d`);
  const fail = "[Service]\\nExecStartPre=/usr/bin/false\\n";
  machine.run(`for folder in ${folders.join(" ")}; do mkdir -p $folder; printf '${fail}' > $folder/fault.conf; done
    systemctl daemon-reload
    systemctl restart ${units.join(" ")} || true`);
  // systemd's own limit is five starts in ten seconds.
  const restarts = () => machine.run(`systemctl show --value --property=NRestarts ${units.join(" ")}`).match(/\d+/g);
  await eventually(() => expect(Math.min(...(restarts() ?? []).map(Number))).toBeGreaterThan(6));
  const found = machine.run("cd /srv/twinfront && npm run doctor || true");
  for (const unit of units) expect(found).toContain(`✗ units      ${unit} `);
  machine.run(`rm -r ${folders.join(" ")}; systemctl daemon-reload`);
  await eventually(() => machine.run(`for unit in ${units.join(" ")}; do systemctl is-active "$unit"; done`));
  await eventually(() => expectFaces());
});

onHost("with README's commands for a restore, the newest backup is in use", async () => {
  await runPart("Restore on a host");
  // A-1003 was placed after it.
  const orders = ["A-1001", "A-1002"].map((number) => ({ number }));
  await eventually(async () => expect(await pulledOrders()).toMatchObject({ orders }));
  await expectFaces();
});
