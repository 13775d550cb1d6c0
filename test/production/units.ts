import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Machine } from "./machine.ts";
import { inSandbox, quote, type Sandbox } from "./sandbox.ts";

/** What a unit of a machine says about a key, every line of it; `%i`, `%d` are filled in. */
type Says = (key: string) => string[];

/**
 * Starts a service of a machine without systemd: its ExecStart lines, by its user with its capabilities, environment and
 * credentials, where all but its ReadWritePaths is read-only. A oneshot has ended when this returns. A TCP socket is left to
 * it, and what only systemd can do (system calls, further namespaces) isn't done; systemd-analyze checks that elsewhere.
 */
export function startUnit(machine: Machine, unit: string): void {
  const says = readUnit(machine, unit);
  const socket = openSocket(machine, unit, says);
  const script = says("ExecStart")
    .map((command) => inSandbox(command, sandboxOf(unit, says, socket === "" ? [] : PASSED)))
    .join("\n");
  if (says("Type")[0] === "oneshot") machine.run(script);
  else machine.start(socket + script, logOf(machine, unit));
}

/** sd_listen_fds(3); each program here replaces the one before it, so the shell's id becomes the service's. */
const PASSED = ["LISTEN_FDS=1", "LISTEN_PID=$$"];
/** Opens a Unix socket as descriptor 3, and runs a program with it. */
const OPEN_SOCKET = `use Socket; use POSIX; $^F = 3;
my ($path, $owner, $group, $mode) = splice @ARGV, 0, 4;
unlink $path;
my $socket;
socket($socket, PF_UNIX, SOCK_STREAM, 0) && bind($socket, sockaddr_un($path)) && listen($socket, 4096) or die $!;
chown scalar getpwnam($owner), scalar getgrnam($group), $path;
chmod oct $mode, $path;
POSIX::dup2(fileno $socket, 3);
exec @ARGV;`;

/** The beginning of a command that gets the Unix socket of its unit; empty if its unit has none. */
function openSocket(machine: Machine, unit: string, says: Says): string {
  const socketUnit = unit.replace(".service", ".socket");
  if (!says("Requires").includes(socketUnit)) return "";
  const saysOfSocket = readUnit(machine, socketUnit);
  const [path = "", owner, group, mode] = ["ListenStream", "SocketUser", "SocketGroup", "SocketMode"].map(
    (key) => saysOfSocket(key)[0],
  );
  if (!path.startsWith("/")) return "";
  machine.run(`install -d ${dirname(path)}`);
  return `exec perl -e ${quote(OPEN_SOCKET)} ${path} ${owner} ${group} ${mode} `;
}

/** Runs a unit's ExecReload. */
export function reloadUnit(machine: Machine, unit: string): void {
  // As root, which is also what a plus says.
  machine.run(
    readUnit(
      machine,
      unit,
    )("ExecReload")
      .map((command) => command.replace(/^\+/, ""))
      .join("\n"),
  );
}

/** The file with what a service printed, seen from outside. */
export const logOf = (machine: Machine, unit: string): string => join(machine.root, "var/log/units", unit);

function readUnit({ root }: Machine, unit: string): Says {
  const [, name, instance = "", type] = /^([\w-]+)@?(\w*)\.(\w+)$/.exec(unit) ?? [];
  const file = instance ? `${name}@.${type}` : unit;
  const files = [file, ...globSync(`${unit}.d/*.conf`, { cwd: join(root, "etc/systemd/system") })];
  const text = files.map((path) => readFileSync(join(root, "etc/systemd/system", path), "utf8")).join("\n");
  const filled = text.replaceAll("%i", instance).replaceAll("%d", credentialsOf(unit));
  const lines = filled.split("\n").map((line) => line.split(/=(.*)/));
  return (key) => lines.flatMap(([name, value = ""]) => (name === key ? [value] : []));
}

const credentialsOf = (unit: string): string => `/run/credentials/${unit}`;

function sandboxOf(unit: string, says: Says, passed: readonly string[]): Sandbox {
  const words = (key: string) => says(key).join(" ").split(" ").filter(Boolean);
  const capabilities = (key: string) => words(key).map((name) => name.slice("CAP_".length).toLowerCase());
  // systemd gives a DynamicUser one of these ids; it has no entry in /etc/passwd.
  const user = says("DynamicUser")[0] === "yes" ? "61184" : (says("User")[0] ?? "root");
  const credentials = words("LoadCredential").map((line) => line.split(":"));
  return {
    user,
    environment: [
      ...['PATH="$PATH"', "HOME=/", 'NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"'],
      ...passed,
      ...words("Environment"),
    ],
    folder: says("WorkingDirectory")[0] ?? "/",
    writable: words("ReadWritePaths"),
    state: words("StateDirectory").map((name) => `/var/lib/${name}`),
    memory: ["/tmp"],
    capabilities: {
      ambient: capabilities("AmbientCapabilities"),
      bounding: capabilities("CapabilityBoundingSet"),
    },
    umask: says("UMask")[0] ?? "0022",
    before: [
      `install -d -m 700 -o ${user} ${credentialsOf(unit)}`,
      ...credentials.map(([name, from]) => `install -m 400 -o ${user} ${from} ${credentialsOf(unit)}/${name}`),
    ],
  };
}
