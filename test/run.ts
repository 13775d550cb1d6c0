// `npm test`, `npm run test:all` and `npm run test:deep`, as test/README.md says. Each ends with "N passed, N failed".
import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SERVER_PATH } from "../api/platform/server-path.ts";
import { readArguments } from "../api/read-arguments.ts";
import { CHROMIUM, ensureSystemPackages } from "../nginx/local/system-packages.ts";
import { StartError } from "../nginx/programs.ts";
import { judgeCosts, keepCosts } from "./costs/budget.ts";
import { readLedgers } from "./costs/ledgers.ts";
import { findMysql } from "./mysql-server.ts";
import { makeFolder, removeAbandoned } from "./temporary-folder.ts";

const USAGE = `Usage: npm test | npm run test:all | npm run test:deep

  npm run test:all -- --shuffle         files in a random order, whose number is printed
  npm run test:all -- --shuffle=NUMBER  in that order again
  npm run test:all -- --keep-costs      keeps what each file costs now as what it may cost (costs/budget.json)`;

const ROOT = join(import.meta.dirname, "..");

type Scope = "usual" | "all" | "deep";

interface Plan {
  scope: Scope;
  /** Of the files' order; undefined: the dearest first. */
  seed: number | undefined;
  keepsCosts: boolean;
}

interface Check {
  name: string;
  folder: string;
  command: string;
}

// One checker at a time takes half of the processor time of four, and no longer.
const TSC = "tsc --checkers 1";
/** Its processor time is the measure of a run's. */
const TYPES: Check = { name: "types", folder: "test", command: TSC };
/** Commands that must exit with 0, each run in its folder, after TYPES. */
const CHECKS: readonly Check[] = [
  // Installed by `npm run grade` and `npm run bench`.
  ...["grade", "bench"]
    .filter((name) => existsSync(join(import.meta.dirname, name, "node_modules")))
    .map((name) => ({ name: `types of ${name}`, folder: `test/${name}`, command: TSC })),
  { name: "types of site", folder: "site", command: "npm run -s check" },
  { name: "format and lint", folder: ".", command: "biome ci --colors=off --error-on-warnings" },
  { name: "format of .astro", folder: ".", command: "prettier --check --log-level warn site/**/*.astro" },
  { name: "unused code", folder: ".", command: "knip --no-progress --treat-config-hints-as-errors" },
  {
    name: "openapi.json",
    folder: ".",
    command: "redocly lint api/openapi.json --extends=recommended-strict --format=summary --max-problems=20",
  },
];

/** The vitest processes of a scope, which run at once. Their projects are in vitest.config.ts. */
function vitestArguments(scope: Scope, hasMysql: boolean): string[][] {
  if (scope === "usual") return [["--project=parts", "--project=shop"]];
  const mysql = hasMysql ? ["--project=mysql"] : [];
  // What starts whole shops has a worker of its own, so that two of them never run at once.
  const one = "--maxWorkers=1";
  if (scope === "all") {
    return [
      ["--project=heavy", one],
      ["--project=parts", "--project=shop", ...mysql, "--maxWorkers=2"],
    ];
  }
  const deep = ["parts", "heavy"].map((project) => [`--project=${project}`, one, ...deepFiles()]);
  return mysql.length > 0 ? [...deep, [...mysql, one]] : deep;
}

/** Whether a scope's tests can run on MySQL too. A missing MySQL that is an error counts as one failure. */
async function lookForMysql(scope: Scope): Promise<{ hasMysql: boolean; failed: number }> {
  try {
    return { hasMysql: scope !== "usual" && (await findMysql()) !== undefined, failed: 0 };
  } catch (error) {
    console.error(`  ✗ ${error instanceof Error ? error.message : error}`);
    return { hasMysql: false, failed: 1 };
  }
}

/** Those that `test:deep` alone runs, and those that it repeats more often. */
const deepFiles = () =>
  globSync("{api,nginx,site,production}/**/*.test.ts", { cwd: import.meta.dirname }).filter(
    (file) =>
      file.endsWith(".deep.test.ts") ||
      /from "(?:\.\.\/)+depth\.ts"/.test(readFileSync(join(import.meta.dirname, file), "utf8")),
  );

interface Count {
  passed: number;
  failed: number;
}

/** Runs the checks, as many at a time as there are cores. Prints what each takes. */
async function runChecks(): Promise<Count> {
  const waiting = [...CHECKS];
  const count = { passed: 0, failed: 0 };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      count[(await passes(check)) ? "passed" : "failed"] += 1;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return count;
}

async function passes({ name, folder, command }: Check): Promise<boolean> {
  const since = performance.now();
  const [program = "", ...args] = command.split(" ");
  const { code, output } = await run(program, args, join(ROOT, folder));
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  console.log(`  ${code === 0 ? "✓" : "✗"} ${name.padEnd(18)} ${seconds.padStart(5)} s`);
  if (code !== 0) console.log(`\n${output.trim()}\n`);
  return code === 0;
}

/** Runs the tests of a plan, and judges what they cost: a file that costs more than it may counts as one that failed. */
async function runTests(plan: Plan): Promise<Count> {
  removeAbandoned();
  const folder = makeFolder("twinfront-test-");
  try {
    const ledgers = join(folder, "ledgers");
    mkdirSync(ledgers);
    const env = {
      // Hundreds of processes load the same modules.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
      TEST_LEDGERS: ledgers,
      TEST_SCOPE: plan.scope,
      ...(plan.seed !== undefined && { TEST_ORDER: String(plan.seed) }),
    };
    const { hasMysql, failed } = await lookForMysql(plan.scope);
    const processes = vitestArguments(plan.scope, hasMysql);
    const counts = await Promise.all(
      processes.map((args, index) => runVitest(args, join(folder, `report-${index}.json`), env)),
    );
    const measured = readLedgers(ledgers);
    if (plan.keepsCosts) keepCosts(measured);
    const dear = plan.keepsCosts || plan.scope === "deep" ? [] : judgeCosts(measured);
    for (const line of dear) console.error(`  ✗ ${line}`);
    return counts.reduce(add, { passed: 0, failed: failed + dear.length });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runVitest(args: readonly string[], report: string, env: Record<string, string>): Promise<Count> {
  const vitest = join(import.meta.dirname, "node_modules", "vitest", "vitest.mjs");
  const reporters = [
    "--reporter=./progress.ts",
    "--reporter=minimal",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const { code } = await run(process.execPath, [vitest, "run", ...args, ...reporters], import.meta.dirname, {
    env,
    print: (line) => console.log(line),
  });
  return readCount(report, code);
}

/** A failed run without a failed test, such as a file that doesn't load, counts as one failure. */
function readCount(report: string, code: number): Count {
  let count = { passed: 0, failed: 0 };
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    count = { passed: numPassedTests, failed: numFailedTests };
  } catch {
    console.error("The tests ended without a report.");
  }
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

const add = (a: Count, b: Count): Count => ({ passed: a.passed + b.passed, failed: a.failed + b.failed });

interface RunOptions {
  env?: Record<string, string>;
  /** Gets each line of the output, which else is returned. */
  print?: (line: string) => void;
}

function run(program: string, args: readonly string[], cwd: string, { env: more, print }: RunOptions = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      ...more,
      ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }),
      PATH: SERVER_PATH,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      ASTRO_TELEMETRY_DISABLED: "1",
    };
    // Ends with this process, also when that is killed.
    const command = ["--pdeathsig", "TERM", "--", program, ...args];
    const child = spawn("setpriv", command, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      if (print) createInterface({ input: stream }).on("line", print);
      else
        stream.setEncoding("utf8").on("data", (chunk: string) => {
          output += chunk;
        });
    }
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Processor time, user's and system's, of the processes that have ended below this one, in seconds (proc(5), stat). */
function cpuSecondsOfChildren(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  const TICKS_PER_SECOND = 100;
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

function readPlan(): Plan {
  // parseArgs() knows no option whose value may be left out.
  const args = process.argv.slice(2).map((arg) => (arg === "--shuffle" ? `${arg}=${Date.now() % 1_000_000}` : arg));
  const flag = { type: "boolean", default: false } as const;
  const options = { all: flag, deep: flag, "keep-costs": flag, shuffle: { type: "string" } } as const;
  const { all, deep, shuffle, "keep-costs": keepsCosts } = readArguments(USAGE, options, [0], args).values;
  // All tests may cost no more than in test:all.
  if ((shuffle !== undefined && !/^\d{1,9}$/.test(shuffle)) || (deep && keepsCosts)) throw new StartError(USAGE);
  const scope = deep ? "deep" : all ? "all" : "usual";
  return { scope, keepsCosts, seed: shuffle === undefined ? undefined : Number(shuffle) };
}

try {
  const plan = readPlan();
  const since = performance.now();
  // openssl makes the certificates of test/nginx/tls.test.ts.
  ensureSystemPackages([CHROMIUM, "openssl"]);
  console.log("\nChecks\n");
  const isTyped = await passes(TYPES);
  const ofTypes = cpuSecondsOfChildren();
  let total: Count = isTyped ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (plan.scope !== "deep") total = add(total, await runChecks());
  console.log(plan.seed === undefined ? "\nTests\n" : `\nTests, shuffled: --shuffle=${plan.seed}\n`);
  total = add(total, await runTests(plan));
  const minutes = ((performance.now() - since) / 60_000).toFixed(1);
  const cpuSeconds = cpuSecondsOfChildren();
  console.log(
    `\n${Math.round(cpuSeconds)} s of processor time, ${Math.round(cpuSeconds / ofTypes)} times that of tsc, in ${minutes} minutes`,
  );
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}
