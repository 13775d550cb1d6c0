import { once } from "node:events";
import { readFileSync } from "node:fs";
import { debianEnvironment, debianProgram } from "../debian-program.ts";
import { eventually } from "../eventually.ts";
import { keepMachine, type Machine, machineOf, type Recipe } from "./machine.ts";

/** What boots a Debian in a folder, systemd and all. */
export const nspawn = debianProgram("systemd-container", "usr/bin/systemd-nspawn");

/** A machine that systemd has booted. */
export interface Host extends Machine {
  /** Restarts it, with a new network. Done when all that starts with it has started. */
  reboot(): Promise<void>;
}

/**
 * Whatever the host's control groups are, nspawn sees the second version, and a group of its own, in which the machine's are.
 * nspawn leaves files in /run.
 */
const BEFORE = `mount -t cgroup2 none /sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs /run
export GROUP=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/twinfront-$$
mkdir "$GROUP"`;
const AFTER = `until find "$GROUP" -depth -type d -exec rmdir {} + 2> /dev/null; do sleep 0.1; done`;
const OPTIONS = [
  // None of this needs a systemd on the host.
  ..."--boot --private-network --register=no --keep-unit".split(" "),
  // Nor does it leave or take anything there.
  ..."--link-journal=no --resolv-conf=off --timezone=off --console=pipe --machine=shop".split(" "),
];
/** With --keep-unit, nspawn ends with 133 when the machine wants to be booted again; with anything else, all ends. */
const BOOT = `echo 0 > "$GROUP/cgroup.procs"
trap exit TERM
{
  while
    LD_LIBRARY_PATH="$LIBRARIES" "$NSPAWN" ${OPTIONS.join(" ")} --directory="$ROOT" --bind="$PACKAGES":/var/cache/apt/archives
    [ $? = 133 ]
  do :; done
  kill $$
} 3<&- &`;
const NAMESPACES = ["--mount", "--pid", "--uts", "--ipc", "--cgroup"];

/** Boots the Debian in a folder. */
export async function bootSystemd(recipe: Recipe): Promise<Host> {
  const keeper = keepMachine(recipe, {
    isolation: "--mount --pid --mount-proc",
    ...{ before: BEFORE, boot: BOOT, after: AFTER },
    env: { NSPAWN: nspawn ?? "", LIBRARIES: debianEnvironment("systemd-container").LD_LIBRARY_PATH },
  });
  const ended = once(keeper, "exit").then(() => {
    throw new Error("The machine didn't boot.");
  });
  let first = 0;
  const explain = "systemctl --failed --no-legend; journalctl --boot --no-pager --lines 60";
  const machine = machineOf(recipe, keeper, { first: () => first, namespaces: NAMESPACES, explain });
  const start = async () => {
    const former = first;
    await eventually(() => {
      first = findSystemd(keeper.pid ?? 0) ?? former;
      if (first === former) throw new Error("The machine has no systemd yet.");
    });
    await eventually(() => machine.run("systemctl is-system-running --wait"));
  };
  const started = () => Promise.race([start(), ended]);
  await started();
  return {
    ...machine,
    async reboot() {
      machine.run("systemctl reboot");
      await started();
    },
  };
}

/** The systemd among the descendants of a process; it is the first of the processes in the machine. */
function findSystemd(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    if (/^Name:\tsystemd$/m.test(status) && /^NSpid:.*\t1$/m.test(status)) return pid;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children
      .split(" ")
      .filter(Boolean)
      .map((child) => findSystemd(Number(child)))
      .find((found) => found !== undefined);
  } catch {
    // It has just ended.
    return undefined;
  }
}
