/** What a container's manager gives a process. */
export interface Sandbox {
  /** A number; its group has the same. */
  user: string;
  /** Words such as `HOME=/tmp`, as a shell reads them. */
  environment: readonly string[];
  folder: string;
  /** Paths that are empty folders in memory; everything else is read-only. */
  memory: readonly string[];
  /** Shell lines that root runs first. */
  before: readonly string[];
}

/** Returns the shell command that runs `command`, in a shell's words, in a sandbox of its own, without capabilities. */
export function inSandbox(command: string, { user, environment, folder, memory, before }: Sandbox): string {
  const privileges = [
    `--reuid ${user} --regid ${user} --clear-groups --no-new-privs`,
    "--inh-caps=-all --ambient-caps=-all --bounding-set=-all",
  ].join(" ");
  const steps = [
    "mount --make-rprivate /",
    ...memory.map((path) => `mkdir -p ${path} && mount -t tmpfs -o mode=1777 tmpfs ${path}`),
    "mount -o remount,bind,ro /",
    ...before,
    `cd ${folder}`,
    `exec setpriv ${privileges} env -i ${environment.join(" ")} ${command}`,
  ];
  return `unshare --mount bash --norc -euc ${quote(steps.join("\n"))}`;
}

/** One word of a shell, whatever is in it. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
