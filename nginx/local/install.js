// Installs the packages of a lock file: node nginx/local/install.js [folder]
// Runs before anything is installed, so it is plain JavaScript for the machine's own Node and imports no packages.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const PNPM = "pnpm@12.21.0";
const PROGRESS_EVERY_MS = 5_000;
const STALLED_S = 30;

const [folder] = process.argv.slice(2);
const started = Date.now();
const registry = process.env.npm_config_registry ?? "https://registry.npmjs.org/";

const seconds = (since) => Math.round((Date.now() - since) / 1000);

function countPackages() {
  const packages = join(folder ?? ".", "node_modules", ".pnpm");
  return existsSync(packages) ? readdirSync(packages).filter((name) => name.includes("@")).length : 0;
}

/** npm and pnpm print nothing while they wait for a registry, which may take minutes. */
function reportProgress() {
  let count = countPackages();
  let grewAt = started;
  return setInterval(() => {
    if (countPackages() !== count) grewAt = Date.now();
    count = countPackages();
    const doubt = seconds(grewAt) < STALLED_S ? "" : `, none for ${seconds(grewAt)} s: does ${registry} answer?`;
    console.log(`  ${count} packages after ${seconds(started)} s${doubt}`);
  }, PROGRESS_EVERY_MS);
}

const env = {
  // npm's defaults wait 70 s for a registry that refuses and 15 minutes for a silent one. The environment overrides these.
  npm_config_fetch_timeout: "60000",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "2000",
  pnpm_config_fetch_retry_mintimeout: "1000",
  pnpm_config_fetch_retry_maxtimeout: "2000",
  // pnpm doesn't read npm_config_registry.
  pnpm_config_registry: registry,
  ...process.env,
  // `npm run -s` passes `silent` on, which would hide why npx failed.
  npm_config_loglevel: "error",
};
const args = ["--yes", "--prefer-offline", PNPM];
// Without the workspace, pnpm-workspace.yaml's allowBuilds isn't read: no script runs, which is no error.
if (folder) args.push("--dir", folder, "--ignore-workspace", "--config.strict-dep-builds=false");
args.push("install", "--frozen-lockfile", "--loglevel=error");

console.log(`Installing packages${folder ? ` of ${folder}` : ""} from ${registry} …`);
const progress = reportProgress();
const npx = spawn("npx", args, { env, stdio: ["ignore", "inherit", "inherit"] });
const end = await once(npx, "close").then(
  ([code, signal]) => signal ?? code,
  (error) => error.message,
);
clearInterval(progress);
if (end === 0) {
  console.log(`  installed ${countPackages()} packages in ${seconds(started)} s`);
} else {
  console.error(`
The packages could not be installed: \`npx ${args.join(" ")}\` failed (${end}).
If npm or pnpm started, its reason is above.

If the network is the cause: this machine must reach ${registry} (try \`npm ping\`).
Behind a proxy, set HTTPS_PROXY; for your own registry, set npm_config_registry.
Then run the same command again. Packages already downloaded are kept.
`);
  process.exitCode = 1;
}
