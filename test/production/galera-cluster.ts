import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { type RunningChild, runToEnd, startChild, stopChild, waitUntilReady } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { debianPrograms } from "../debian-program.ts";

/** MariaDB itself is what `npm start` uses; undefined where these packages can't be had. */
export const galera = debianPrograms(
  ...["galera-4", "mariadb-server", "rsync", "libpopt0", "libxxhash0", "lsof", "libtirpc3"],
  ...["haproxy", "liblua5.3-0", "libopentracing-c-wrapper0", "libopentracing1"],
);

const CONFIGURATION = join(import.meta.dirname, "../../nginx/production");
/** Where a test runs as root: rsync's server, which copies a node's data, would become this user, and fail. */
const NOBODY = 65_534;
const AS_NOBODY =
  process.getuid?.() === 0 ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--pdeathsig=TERM"] : [];

interface GaleraNode {
  /** Its address, `127.0.0.1:port`. */
  address: string;
  /** Starts it as Debian's unit does, and returns once it is in the cluster, with all that was committed meanwhile. */
  start(): Promise<void>;
  /** Starts it without data, so that it takes all from the others, whatever it had. */
  startEmpty(): Promise<void>;
  /** Its last transaction, `cluster:number`, while it doesn't run. */
  position(): Promise<string | undefined>;
  /** Starts it as the first of a new cluster, as `safe_to_bootstrap` and galera_new_cluster do. */
  startAsFirst(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Runs a statement as root. */
  run(statement: string): Promise<RowDataPacket[]>;
}

export interface Cluster {
  nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  /** Starts a host's HAProxy; returns its address. */
  startProxy(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts three nodes on this machine, configured by galera.cnf, and creates the database `shop` of the user `shop`. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "tf-galera-"));
  const ports = [await fourPorts(), await fourPorts(), await fourPorts()] as const;
  const peers = ports.map(({ group }) => `127.0.0.1:${group}`).join(",");
  const children: (RunningChild | undefined)[] = [];
  const [first, second, third] = ports.map((port, index) => makeNode(folder, index, port, peers, children));
  if (!first || !second || !third) throw new Error("Three nodes are needed.");
  const nodes = [first, second, third] as const;
  if (AS_NOBODY.length > 0) chownSync(folder, NOBODY, NOBODY);
  await first.bootstrap();
  for (const statement of [
    "create database shop character set utf8mb4",
    "create user shop@'%' identified by 'shop'",
    "grant all on shop.* to shop@'%'",
    "create user haproxy@'%'",
  ])
    await first.run(statement);
  await second.start();
  await third.start();
  return {
    nodes,
    async startProxy() {
      const address = `127.0.0.1:${await findFreePort()}`;
      const [one, two, three] = nodes.map((node) => node.address);
      const logFile = join(folder, "haproxy.log");
      const proxy = startChild({
        name: "HAProxy",
        program: "env",
        args: [
          ...environment({ TWINFRONT_DATABASE: address, GALERA_1: one, GALERA_2: two, GALERA_3: three }),
          ...["haproxy", "-db", "-f", join(CONFIGURATION, "haproxy.cfg")],
        ],
        logFile,
      });
      children.push(proxy);
      await waitUntilReady(proxy, logFile, () => accepts(`mysql://shop:shop@${address}/shop`));
      return address;
    },
    async stop() {
      await Promise.all(children.map((child) => child && stopChild(child, "SIGKILL", 10_000)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a server takes a login at a URL. */
export const accepts = (url: string): Promise<boolean> =>
  createConnection(url).then(
    (connection) => connection.end().then(() => true),
    () => false,
  );

const environment = (more: Readonly<Record<string, string | undefined>> = {}) =>
  Object.entries({ ...galera?.env, ...more }).map(([name, value]) => `${name}=${value}`);

async function fourPorts() {
  const [sql, group, incremental, whole] = await Promise.all(Array.from({ length: 4 }, findFreePort));
  return { sql, group, incremental, whole };
}

function makeNode(
  folder: string,
  index: number,
  ports: Awaited<ReturnType<typeof fourPorts>>,
  peers: string,
  children: (RunningChild | undefined)[],
): GaleraNode & { bootstrap(): Promise<void> } {
  const name = `node${index + 1}`;
  const data = join(folder, name);
  const socket = join(folder, `${name}.sock`);
  const logFile = join(folder, `${name}.log`);
  makeEmpty();

  function makeEmpty() {
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data);
    if (AS_NOBODY.length > 0) chownSync(data, NOBODY, NOBODY);
  }

  /** What the file leaves to each host, and what differs because they all are on this one. */
  const options = [
    `--defaults-file=${join(CONFIGURATION, "galera.cnf")}`,
    ...[`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${data}.pid`, `--port=${ports.sql}`],
    ...["--bind-address=127.0.0.1", "--innodb-log-file-size=16M", "--default-time-zone=+00:00"],
    `--wsrep-provider=${galera?.file("usr/lib/galera/libgalera_smm.so")}`,
    `--wsrep-cluster-address=gcomm://${peers}`,
    ...[`--wsrep-node-name=${name}`, `--wsrep-node-address=127.0.0.1:${ports.group}`],
    `--wsrep-sst-receive-address=127.0.0.1:${ports.whole}`,
    `--wsrep-provider-options=${[
      ...[`base_port=${ports.group}`, `gmcast.listen_addr=tcp://127.0.0.1:${ports.group}`],
      ...[`ist.recv_addr=127.0.0.1:${ports.incremental}`, "gcache.size=32M"],
    ].join(";")}`,
  ];
  const asUser = (program: string, ...args: string[]) => ["setpriv", ...AS_NOBODY, "--", program, ...args];

  async function run(statement: string): Promise<RowDataPacket[]> {
    const connection = await createConnection({ socketPath: socket, user: "root" });
    connection.on("error", () => {}); // the server was killed
    try {
      const [rows] = await connection.query<RowDataPacket[]>(statement);
      return rows;
    } finally {
      connection.destroy();
    }
  }

  async function startWith(...more: string[]): Promise<void> {
    const args = [...environment(), ...asUser("mariadbd", ...options, ...more)];
    const child = startChild({ name, program: "env", args, logFile });
    children[index] = child;
    const isSynced = async () => {
      const [row] = await run("show status like 'wsrep_local_state_comment'").catch(() => []);
      return row?.["Value"] === "Synced";
    };
    await waitUntilReady(child, logFile, isSynced, 180_000);
  }

  /** Of a node without data there is none. */
  async function position(): Promise<string | undefined> {
    const log = `${logFile}.recovery`;
    await runToEnd(`Reading the position of ${name}`, "env", [
      ...environment(),
      ...asUser("mariadbd", ...options, "--wsrep-recover", `--log-error=${log}`),
    ]);
    return readFileSync(log, "utf8")
      .match(/(?<=WSREP: Recovered position: )\S+/g)
      ?.at(-1);
  }

  return {
    address: `127.0.0.1:${ports.sql}`,
    run,
    async bootstrap() {
      const install = ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal"];
      await runToEnd(`Creating ${name}`, "env", [
        ...environment(),
        ...asUser("mariadb-install-db", ...install, "--skip-test-db"),
      ]);
      await startWith("--wsrep-new-cluster");
    },
    position,
    async start() {
      const known = await position();
      const join = () => startWith(...(known ? [`--wsrep-start-position=${known}`] : []));
      // A node that joins a cluster under load may abort: Debian's unit then starts it again (Restart=on-abnormal).
      await join().catch((error: Error) => (/SIGABRT/.test(error.message) ? join() : Promise.reject(error)));
    },
    async startEmpty() {
      makeEmpty();
      await startWith();
    },
    async startAsFirst() {
      const state = join(data, "grastate.dat");
      writeFileSync(state, readFileSync(state, "utf8").replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1"));
      await startWith("--wsrep-new-cluster", `--wsrep-start-position=${await position()}`);
    },
    async kill() {
      const child = children[index];
      if (child) await stopChild(child, "SIGKILL", 10_000);
    },
  };
}
