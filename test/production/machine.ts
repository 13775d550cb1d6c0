import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { PACKAGE_CACHE } from "./debian-base.ts";

/** A machine of its own, as far as root can make one without systemd: file system, processes and network. */
export interface Machine {
  /** Where its file system is, seen from outside. */
  root: string;
  /** Environment of everything that runs in it. */
  env: Record<string, string>;
  /** Runs a script by its bash, online with this machine's network. Returns what it printed; throws that if it fails. */
  run(script: string, options?: { online?: boolean }): string;
  /** Starts a script, with what it prints in `log`, seen from outside. */
  start(script: string, log: string): ChildProcess;
  /** Starts a program of this machine in its network. */
  startOutside(program: string, args: string[]): ChildProcess;
  /** Ends all of its processes and removes it. */
  stop(): Promise<void>;
}

/**
 * Runs as the machine's first process. `/` becomes `$ROOT`; the loopback interface comes up by perl, which every Debian has
 * (netdevice(7): SIOCSIFFLAGS with IFF_UP).
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
echo "$pid"
exec sleep infinity
`;

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Boots the Debian in the folder `root`, which is removed with the machine. `env` is added to its environment. */
export async function bootMachine(root: string, env: Record<string, string>): Promise<Machine> {
  const proxies = Object.entries(process.env).filter(([name]) => /^https?_proxy$/i.test(name));
  const ownEnv = { PATH, HOME: "/root", DEBIAN_FRONTEND: "noninteractive", ...Object.fromEntries(proxies), ...env };
  mkdirSync(join(PACKAGE_CACHE, "partial"), { recursive: true });
  const isolate = ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", BOOT];
  const boot = spawn("unshare", isolate, {
    env: { PATH, ROOT: root, PACKAGES: PACKAGE_CACHE },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = await Promise.race([once(boot.stdout, "data"), once(boot, "exit")]);
  const pid = Number(String(first));
  if (boot.exitCode !== null || !pid) throw new Error(`The machine didn't boot: ${first}`);
  const enter = (...namespaces: string[]) => ["--target", String(pid), ...namespaces];

  return {
    root,
    env: ownEnv,
    run(script, { online = false } = {}) {
      const inside = enter("--mount", "--pid", ...(online ? [] : ["--net"]));
      const { status, stdout, stderr } = spawnSync(
        "nsenter",
        [...inside, "bash", "--norc", "-euc", `exec 2>&1\n${script}`],
        {
          env: ownEnv,
          encoding: "utf8",
          maxBuffer: 100_000_000,
          // A hang would stop this whole process.
          timeout: 900_000,
        },
      );
      if (status !== 0) throw new Error(`exit ${status} of:\n${script}\n\n${stdout}${stderr}`);
      return stdout;
    },
    start(script, log) {
      mkdirSync(dirname(log), { recursive: true });
      const output = openSync(log, "a");
      const args = [...enter("--mount", "--pid", "--net"), "bash", "--norc", "-euc", script];
      const child = spawn("nsenter", args, { env: ownEnv, stdio: ["ignore", output, output] });
      closeSync(output);
      return child;
    },
    startOutside: (program, args) =>
      spawn("nsenter", [...enter("--net"), program, ...args], { stdio: ["ignore", "inherit", "inherit"] }),
    async stop() {
      boot.kill("SIGKILL");
      await once(boot, "exit");
      // Ten times as fast as rmSync, which takes minutes for as many files.
      spawnSync("rm", ["-rf", root]);
    },
  };
}
