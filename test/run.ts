// `npm test`: every check, and every test that is quick; `npm run test:slow`: all others.
// Both end with "N passed, N failed".
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, ensureSystemPackages } from "../nginx/local/system-packages.ts";
import { SERVER_PATH, StartError } from "../nginx/programs.ts";

const ROOT = join(import.meta.dirname, "..");
const IS_SLOW = process.argv.includes("--slow");

/** Of vitest.config.ts. */
const PROJECTS = IS_SLOW ? ["slow parts", "slow shop", "alone", "production"] : ["parts", "shop"];

/** Commands that must exit with 0, each run in its folder. */
const CHECKS: readonly { name: string; folder: string; command: string }[] = [
  { name: "types", folder: "test", command: "tsc" },
  // Installed by `npm run grade` and `npm run bench`.
  ...["grade", "bench"]
    .filter((name) => existsSync(join(import.meta.dirname, name, "node_modules")))
    .map((name) => ({ name: `types of ${name}`, folder: `test/${name}`, command: "tsc" })),
  { name: "types of site", folder: "site", command: "npm run -s check" },
  { name: "format and lint", folder: ".", command: "biome ci --colors=off --error-on-warnings" },
  { name: "format of .astro", folder: ".", command: "prettier --check --log-level warn site/**/*.astro" },
  { name: "unused code", folder: ".", command: "knip --no-progress --treat-config-hints-as-errors" },
  { name: "openapi.json", folder: ".", command: "redocly lint api/openapi.json --format=summary --max-problems=20" },
];

interface Count {
  passed: number;
  failed: number;
}

async function runChecks(): Promise<Count> {
  const waiting = [...CHECKS];
  const count = { passed: 0, failed: 0 };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const since = performance.now();
      const [program = "", ...args] = check.command.split(" ");
      const { code, output } = await run(program, args, join(ROOT, check.folder));
      count[code === 0 ? "passed" : "failed"] += 1;
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      console.log(`  ${code === 0 ? "✓" : "✗"} ${check.name.padEnd(18)} ${seconds.padStart(5)} s`);
      if (code !== 0) console.log(`\n${output.trim()}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return count;
}

async function runTests(): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-test-"));
  const report = join(folder, "report.json");
  try {
    const vitest = join(import.meta.dirname, "node_modules", "vitest", "vitest.mjs");
    const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
    const args = [vitest, "run", ...PROJECTS.map((name) => `--project=${name}`), ...reporters];
    // Hundreds of processes load the same modules.
    const env = { NODE_COMPILE_CACHE: join(folder, "compiled") };
    const { code } = await run(process.execPath, args, import.meta.dirname, { output: "inherit", env });
    return readCount(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

interface RunOptions {
  output?: "inherit" | "pipe";
  env?: Record<string, string>;
}

function run(program: string, args: readonly string[], cwd: string, { output = "pipe", env: more }: RunOptions = {}) {
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
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", output, output] });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, output: text }));
  });
}

try {
  // openssl makes the certificates of test/nginx/tls.test.ts.
  ensureSystemPackages([CHROMIUM, "openssl"]);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(`\n${error.message}\n`);
  process.exit(1);
}
if (!IS_SLOW) console.log("\nChecks\n");
const checks = IS_SLOW ? { passed: 0, failed: 0 } : await runChecks();
console.log("\nTests\n");
const tests = await runTests();
const failed = checks.failed + tests.failed;
console.log(`\n${checks.passed + tests.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
