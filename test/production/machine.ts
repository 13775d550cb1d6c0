import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** A machine of its own, as far as root can make one: file system, processes and network. */
export interface Machine {
  /** Where its file system is, seen from outside. */
  root: string;
  /** Runs a script by its bash, online with this machine's network. Returns what it printed; throws that if it fails. */
  run(script: string, options?: { online?: boolean }): string;
  /** Starts a script, with what it prints in `log`, seen from outside. */
  start(script: string, log: string): ChildProcess;
  /** Starts a program of this machine in its network. */
  startOutside(program: string, args: string[]): ChildProcess;
  /** Ends all of its processes and removes it. */
  stop(): Promise<void>;
}

/** What a machine is made of. */
export interface Recipe {
  /** The folder of its file system, which is removed with it. */
  root: string;
  /** Where its apt keeps what it downloads. */
  packages: string;
  /** Added to the environment of everything that runs in it. */
  env: Record<string, string>;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Makes the machine's file system, by its first process. `/` becomes `$ROOT`; the loopback interface comes up by perl, which
 * every Debian has (netdevice(7): SIOCSIFFLAGS with IFF_UP).
 */
const BOOT = `set -eu
read -r pid _ < /proc/self/stat
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount --rbind /sys "$ROOT/sys"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755 tmpfs "$ROOT/run"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$PACKAGES" "$ROOT/var/cache/apt/archives"
perl -e 'socket(my $s, 2, 2, 0); my $up = pack("a16sx22", "lo", 1); ioctl($s, 0x8914, $up) or die'
cd "$ROOT"
mkdir outside
pivot_root . outside
umount -l outside
rmdir outside
echo "$pid"`;

/** Makes a machine whose only process waits: without an init, and what it starts. */
export async function bootMachine(recipe: Recipe): Promise<Machine> {
  const keeper = keepMachine(recipe, { isolation: "--mount --pid --net", boot: BOOT });
  const [first] = await Promise.race([once(keeper.stdout, "data"), once(keeper, "exit")]);
  const pid = Number(String(first));
  if (hasEnded(keeper) || !pid) throw new Error(`The machine didn't boot: ${first}`);
  return machineOf(recipe, keeper, { first: () => pid, namespaces: ["--mount", "--pid"] });
}

type Keeper = ReturnType<typeof keepMachine>;

/** Also if a signal has ended it, which leaves no exit code. */
const hasEnded = ({ exitCode, signalCode }: Keeper) => exitCode !== null || signalCode !== null;

/**
 * Starts a machine's first process, which runs the script `boot`. When the keeper's input ends, which it also does when this
 * process is killed, so does the first process, and with it every other; then the file system is removed. `before` and
 * `after` surround all that.
 */
export function keepMachine(
  { root, packages }: Recipe,
  machine: { isolation: string; boot: string; before?: string; after?: string; env?: Record<string, string> },
) {
  const script = `set -eu
exec 3<&0 < /dev/null
${machine.before ?? ""}
unshare ${machine.isolation} --fork bash --norc -c "$BOOT" || true
${machine.after ?? ""}
rm -rf --one-file-system "$ROOT"`;
  return spawn("unshare", ["--mount", "bash", "--norc", "-c", script], {
    env: { PATH, ROOT: root, PACKAGES: packages, BOOT: `${machine.boot}\nread -r <&3`, ...machine.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** The machine that `keeper` keeps. `first` is its first process, seen from outside; `explain` a script that tells more of a failure. */
export function machineOf(
  { root, env }: Recipe,
  keeper: Keeper,
  { first, namespaces, explain = "" }: { first: () => number; namespaces: readonly string[]; explain?: string },
): Machine {
  const proxies = Object.entries(process.env).filter(([name]) => /^https?_proxy$/i.test(name));
  const ownEnv = { PATH, HOME: "/root", DEBIAN_FRONTEND: "noninteractive", ...Object.fromEntries(proxies), ...env };
  const inside = (script: string, online = false) => [
    ...["--target", String(first()), ...namespaces, ...(online ? [] : ["--net"])],
    ...["bash", "--norc", "-euc", script],
  ];
  const runInside = (script: string, online?: boolean) =>
    spawnSync("nsenter", inside(`exec 2>&1\n${script}`, online), {
      env: ownEnv,
      encoding: "utf8",
      maxBuffer: 100_000_000,
      // A hang would stop this whole process.
      timeout: 900_000,
    });

  return {
    root,
    run(script, { online = false } = {}) {
      const { status, stdout, stderr } = runInside(script, online);
      if (status === 0) return stdout;
      throw new Error(`exit ${status} of:\n${script}\n\n${stdout}${stderr}\n${explain && runInside(explain).stdout}`);
    },
    start(script, log) {
      mkdirSync(dirname(log), { recursive: true });
      const output = openSync(log, "a");
      const child = spawn("nsenter", inside(script), { env: ownEnv, stdio: ["ignore", output, output] });
      closeSync(output);
      return child;
    },
    // It isn't one of the machine's processes, so it ends with this one.
    startOutside: (program, args) =>
      spawn("nsenter", ["--target", String(first()), "--net", "setpriv", "--pdeathsig", "KILL", program, ...args], {
        stdio: ["ignore", "inherit", "inherit"],
      }),
    async stop() {
      keeper.stdin.end();
      if (!hasEnded(keeper)) await once(keeper, "exit");
    },
  };
}
