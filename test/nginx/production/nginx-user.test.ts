import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SERVER_PATH } from "../../../api/platform/server-path.ts";
import { hostFiles } from "../../../nginx/production/host.ts";
import { debianEnvironment, debianProgram } from "../../debian-program.ts";
import { copyWorkspace } from "../../workspace.ts";
import { writeSite } from "../run-nginx.ts";

/** Whether this process may have ports 80 and 443 and a /var of its own, which leave the machine's alone. */
const canHaveOwn = spawnSync("unshare", ["--net", "--mount", "mount", "-t", "tmpfs", "none", "/var/lib"]).status === 0;
const ip = debianProgram("iproute2", "bin/ip");
const logrotate = debianProgram("logrotate", "usr/sbin/logrotate");

const files = hostFiles({
  root: "/srv",
  contentRoot: "/srv",
  nginxPorts: [80],
  trustedProxies: [],
  apiPorts: [3000],
  metricsPorts: [],
  releasesDir: "/srv/releases",
});
const contentOf = (path: string) => files.find((file) => file.path === path)?.content ?? "";
const unit = contentOf("/etc/systemd/system/twinfront-nginx.service");
const inUnit = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

/** What systemd makes of the unit: its user, its capabilities, one of its commands. */
function commandOf(name: string): string {
  const capability = inUnit("AmbientCapabilities").toLowerCase().replace("cap_", "+");
  const bounding = inUnit("CapabilityBoundingSet").toLowerCase().replace("cap_", "+");
  const user = `--reuid=${inUnit("User")} --regid=${inUnit("User")} --init-groups --no-new-privs`;
  const capabilities = `--inh-caps=-all,${capability} --ambient-caps=-all,${capability} --bounding-set=-all,${bounding}`;
  return `setpriv ${user} ${capabilities} ${inUnit(name)}`;
}

/** A host with a certificate that only root can read, and nginx, configured by a careful root and started by its unit. */
const ON_A_HOST = `set -eu
exec 2>&1
for folder in /var/lib /var/log /run; do mount -t tmpfs -o mode=755 none $folder; done
"$IP" link set lo up
mkdir -m 700 /var/lib/letsencrypt
make_certificate() {
  (umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$1" \\
    -keyout /var/lib/letsencrypt/key.pem -out "/var/lib/letsencrypt/\${2:-certificate.pem}" 2> /dev/null)
}
served() { openssl s_client -connect 127.0.0.1:443 < /dev/null 2> /dev/null | openssl x509 -noout -subject 2> /dev/null || true; }
served_is() { for try in $(seq 200); do now=$(served); test "$now" != "subject=CN = $1" || break; sleep 0.1; done; echo "$now"; }
ask() { "$NODE" -e 'fetch(process.argv[1], { redirect: "manual" }).then((answer) => console.log(answer.status))' "http://127.0.0.1$1"; }
logged() { for try in $(seq 200); do ask "$1" > /dev/null; sleep 0.2; ! grep -o "\\"path\\":\\"$1\\"" /var/log/twinfront/access.log | head -n 1 | grep . || break; done; }
make_certificate old.example
(umask 077; "$NODE" nginx/write-configuration.ts /var/lib/twinfront/nginx > /dev/null)
cd /var/lib/twinfront/nginx
start() {
  install -d -o www-data -g www-data /run/$RUNTIME
  $START_BEFORE
  $START_COMMAND & NGINX=$!
}
restart() { kill -QUIT $NGINX; wait $NGINX || true; start; }
start
trap 'kill -QUIT $NGINX; wait' EXIT
served_is old.example
`;

/** Runs `script` on such a host, and returns what each of its parts printed; `part` begins the next one. */
function onHost(script: string): string[] {
  const workspace = copyWorkspace();
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  chmodSync(workspace, 0o755);
  writeSite(join(workspace, "site/dist"), { "index.html": "<html>", "404.html": "<html>" });
  writeFileSync(join(workspace, "logrotate.conf"), contentOf("/etc/logrotate.d/twinfront"), { mode: 0o644 });
  const started = ON_A_HOST.replace("$RUNTIME", inUnit("RuntimeDirectory"))
    .replace("$START_BEFORE", commandOf("ExecStartPre"))
    .replace("$START_COMMAND", commandOf("ExecStart"));
  const { stdout } = spawnSync(
    "unshare",
    ["--net", "--mount", "sh", "-c", (started + script).replace(/^ *part$/gm, "echo =====")],
    {
      cwd: workspace,
      env: {
        ...{ PATH: SERVER_PATH, NODE: process.execPath, IP: ip, LOGROTATE: logrotate, WORKSPACE: workspace },
        ...{ LIBRARIES: debianEnvironment("logrotate")["LD_LIBRARY_PATH"] },
        ...{ HOST: "127.0.0.1", PORT: "80", API_PORT: "3000", BASE_URL: "https://shop.example" },
        ...{ TLS_CERTIFICATE: "/var/lib/letsencrypt/certificate.pem", TLS_KEY: "/var/lib/letsencrypt/key.pem" },
      },
      encoding: "utf8",
      timeout: 120_000,
    },
  );
  return stdout.split("=====\n");
}

const asRoot = test.skipIf(!(canHaveOwn && ip && logrotate));

asRoot(
  "nginx's unit opens ports 80 and 443 as an ordinary user, who can change neither configuration nor certificate (run as root)",
  () => {
    const [started, status, plain, rights] = onHost(`
    part
    grep -E '^(Uid|CapEff|CapBnd):' /proc/$(cat temp/nginx.pid)/status | tr '\\t' ' '
    part
    ask /about
    part
    for file in nginx.conf reload tls/current/certificate.pem tls/current/key.pem tls/current . tls; do
      setpriv --reuid=www-data --regid=www-data --clear-groups test -w $file && echo "$file can be written" || true
    done
    stat -L -c '%U:%G %a %n' tls tls/current tls/current/key.pem temp /var/log/twinfront
  `);
    expect(started).toContain("subject=CN = old.example\n");
    // CAP_NET_BIND_SERVICE is number 10.
    expect(status).toBe("Uid: 33 33 33 33\nCapEff: 0000000000000400\nCapBnd: 0000000000000400\n");
    expect(plain).toBe("301\n");
    expect(rights).toBe(
      "root:www-data 750 tls\nroot:www-data 750 tls/current\nroot:www-data 640 tls/current/key.pem\nwww-data:www-data 755 temp\nwww-data:adm 750 /var/log/twinfront\n",
    );
  },
);

asRoot(
  "the hook puts a renewed certificate into use; after one whose key is missing, of another kind or half written, nginx restarts with the good one, as it does after install:host (run as root)",
  () => {
    const [, renewed, ...refused] = onHost(`
    part
    make_certificate renewed.example
    ./reload 2> /dev/null
    served_is renewed.example
    ls tls | wc -l
    cp -a /var/lib/letsencrypt /var/lib/good
    again() { restart; served_is renewed.example; }
    part
    make_certificate other.example elsewhere.pem
    ./reload 2>&1 | grep -oE "key.pem isn't the key|stays" || true
    again
    part
    openssl genrsa -out /var/lib/letsencrypt/key.pem 2> /dev/null
    ./reload 2>&1 | grep -oE "key.pem isn't the key|stays" || true
    again
    part
    head -c 300 /var/lib/good/certificate.pem > /var/lib/letsencrypt/certificate.pem
    (cd "$WORKSPACE" && "$NODE" nginx/write-configuration.ts /var/lib/twinfront/nginx 2>&1) | grep -oE "isn't complete|goes on with" || true
    again
    part
    rm /var/lib/letsencrypt/*
    ./reload 2>&1 | grep -oE "isn't there|stays" || true
    cat refused-certificate | grep -oE "certificate.pem isn't there"
    again
    part
    cp /var/lib/good/*.pem /var/lib/letsencrypt
    ./reload 2> /dev/null
    ls refused-certificate 2>&1 | grep -o 'No such file'
    again
  `);
    const again = "subject=CN = renewed.example\n";
    expect(renewed).toBe(`${again}2\n`);
    expect(refused).toEqual([
      ...Array(2).fill(`key.pem isn't the key\nstays\n${again}`),
      `isn't complete\ngoes on with\n${again}`,
      `isn't there\nstays\ncertificate.pem isn't there\n${again}`,
      `No such file\n${again}`,
    ]);
  },
);

asRoot("nginx starts while its disk is full (run as root)", () => {
  const [, full] = onHost(`
    part
    kill -QUIT $NGINX
    wait $NGINX || true
    mount -o remount,size=$(($(du -sk /var/lib | cut -f 1) + 64))k /var/lib
    dd if=/dev/zero of=/var/lib/filled bs=1k 2>&1 | grep -o 'No space left'
    start
    served_is old.example
  `);
  expect(full).toBe("No space left\nsubject=CN = old.example\n");
});

asRoot("logrotate makes nginx write into a new log, which other users can't read (run as root)", () => {
  const [, before, after, log] = onHost(`
    part
    logged /before
    LD_LIBRARY_PATH="$LIBRARIES" "$LOGROTATE" --force --state /var/lib/state "$WORKSPACE/logrotate.conf"
    part
    logged /after
    part
    stat -c '%U:%G %a %n' /var/log/twinfront /var/log/twinfront/access.log
    ls /var/log/twinfront/access.log.1
    grep -c /before /var/log/twinfront/access.log || true
  `);
  expect(before).toBe('"path":"/before"\n');
  expect(after).toBe('"path":"/after"\n');
  expect(log).toBe(
    "www-data:adm 750 /var/log/twinfront\nwww-data:adm 640 /var/log/twinfront/access.log\n/var/log/twinfront/access.log.1\n0\n",
  );
});

asRoot("a process that nginx's user names in the pid file gets no signal from root (run as root)", () => {
  const [, outcome] = onHost(`
    part
    sleep 600 &
    victim=$!
    cp temp/nginx.pid real
    echo $victim > temp/nginx.pid
    ./reload > /dev/null 2>&1 || echo refused
    kill -0 $victim && echo lives
    kill $victim
    cp real temp/nginx.pid
  `);
  expect(outcome).toBe("refused\nlives\n");
});
