/** What a service manager, systemd or a container's, gives a process. */
export interface Sandbox {
  /** A name or a number; its group has the same. */
  user: string;
  /** Words such as `HOME=/tmp`, as a shell reads them. */
  environment: readonly string[];
  folder: string;
  /** Paths that stay writable; everything else is read-only. */
  writable?: readonly string[];
  /** Folders of the user's own, made where they are missing, which stay writable too. */
  state?: readonly string[];
  /** Paths that are empty folders in memory. */
  memory: readonly string[];
  /** Of capabilities(7), in lower case without `cap_`: what the process has, and what it may have. */
  capabilities?: { ambient: readonly string[]; bounding: readonly string[] };
  umask?: string;
  /** Shell lines that root runs first. */
  before?: readonly string[];
}

/** Returns the shell command that runs `command`, in a shell's words, in a sandbox of its own. */
export function inSandbox(command: string, sandbox: Sandbox): string {
  const { user, environment, folder, memory, capabilities } = sandbox;
  const { writable = [], state = [], umask = "0022", before = [] } = sandbox;
  const list = (names: readonly string[] = []) => ["-all", ...names.map((name) => `+${name}`)].join(",");
  const ambient = list(capabilities?.ambient);
  const privileges = [
    `--reuid ${user} --regid "$group" --clear-groups --no-new-privs`,
    `--inh-caps=${ambient} --ambient-caps=${ambient} --bounding-set=${list(capabilities?.bounding)}`,
  ].join(" ");
  const steps = [
    "mount --make-rprivate /",
    ...state.map((path) => `install -d -m 700 -o ${user} ${path}`),
    ...[...writable, ...state].map((path) => `mount --bind ${path} ${path}`),
    ...memory.map((path) => `mkdir -p ${path} && mount -t tmpfs -o mode=1777 tmpfs ${path}`),
    "mount -o remount,bind,ro /",
    ...before,
    `cd ${folder}`,
    `umask ${umask}`,
    `group=$(id -g ${user} 2> /dev/null || echo ${user})`,
    `exec setpriv ${privileges} env -i ${environment.join(" ")} ${command}`,
  ];
  return `unshare --mount bash --norc -euc ${quote(steps.join("\n"))}`;
}

/** One word of a shell, whatever is in it. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
