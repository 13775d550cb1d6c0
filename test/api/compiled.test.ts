import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { HEAP_OPTIONS, MALLOC_OPTIONS } from "../../nginx/local/services.ts";
import { bareEnvironment } from "../bare-environment.ts";
import { makeFolder } from "../temporary-folder.ts";
import { run } from "./server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const LIST_MODULES = `data:text/javascript,${encodeURIComponent(
  'import { registerHooks } from "node:module"; registerHooks({ load(url, context, next) { process.stderr.write("loads " + url); return next(url, context); } });',
)}`;

/** Runs a program with `--help`, which loads all that it always loads, and returns what it wrote to stderr. */
function load(
  program: string,
  env: NodeJS.ProcessEnv,
  options: readonly string[] = [],
  before: readonly string[] = [],
) {
  const [first = "", ...args] = [...before, realpathSync(process.execPath), ...options, `api/${program}`, "--help"];
  const { stdout, stderr } = spawnSync(first, args, {
    ...{ cwd: ROOT, encoding: "utf8" as const, env: { ...bareEnvironment(), ...env } },
  });
  expect(stdout).toContain("Usage: ");
  return stderr;
}

test("the API starts without the libraries of what a shop may not use, and a command without the API's", () => {
  const loaded = (program: string) => load(program, {}, ["--import", LIST_MODULES]);
  const server = loaded("server.ts");
  expect(server).toContain("/node_modules/fastify/");
  // Half of a start is spent on their number, whatever is in them.
  expect(server.split("loads ").length).toBeLessThan(1_600);
  for (const library of ["stripe", "undici", "nodemailer", "@simplewebauthn"])
    expect(server).not.toContain(`/node_modules/${library}/`);
  for (const name of ["order", "migrate"]) {
    const command = loaded(`commands/${name}.ts`);
    expect(command).not.toContain("/fastify/");
    expect(command.split("loads ").length).toBeLessThan(1_150);
  }
});

test("a process has loaded what it sends and signs in with before that is needed, since an upgrade replaces it on the disk", async () => {
  const port = String(await findFreePort());
  const { output } = run("server.ts", {
    ...{ API_PORT: port, BASE_URL: "https://shop.example", DATABASE_URL: "mysql://nobody@127.0.0.1:9/none" },
    ...{ SMTP_URL: "smtp://127.0.0.1:9", CONTENT_REPOSITORY: ROOT, NODE_OPTIONS: `--import=${LIST_MODULES}` },
    ...{
      ERP_WEBHOOK_URL: "https://erp.example/",
      ERP_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    },
  });
  const loaded = (library: string) => new RegExp(`/node_modules/${library}/`).test(output.stderr);
  const needed = ["undici", "nodemailer/.*/mail-composer", "nodemailer/.*/smtp-connection", "@simplewebauthn/server"];
  await expect.poll(() => needed.filter((library) => !loaded(library))).toEqual([]);
});

test("what starts the API names the same limits of its memory", () => {
  for (const file of ["package.json", "api/README.md", "nginx/production/containers/Dockerfile"]) {
    const named = readFileSync(join(ROOT, file), "utf8").match(
      /--(?:max-semi[a-z-]+=\d+|heap-growing[a-z-]+=\d+|optimize-for-size)/g,
    );
    expect([...new Set(named)], file).toEqual(HEAP_OPTIONS);
  }
  const image = readFileSync(join(ROOT, "nginx/production/containers/Dockerfile"), "utf8");
  expect(Object.fromEntries(image.match(/MALLOC_\w+=\d+/g)?.map((each) => each.split("=")) ?? [])).toEqual(
    MALLOC_OPTIONS,
  );
});

test.skipIf(process.getuid?.() !== 0)(
  "a unit's user runs what root has compiled, without a right to write it, and starts without it too",
  () => {
    const folder = makeFolder("compiled-test");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const compiled = join(folder, "compiled");
    load("server.ts", { NODE_COMPILE_CACHE: compiled });
    spawnSync("chmod", ["-R", "a+rX", folder]);
    const theirs = makeFolder("compiled-test");
    onTestFinished(() => rmSync(theirs, { recursive: true }));
    spawnSync("chmod", ["1777", theirs]);
    const env = {
      ...{ NODE_COMPILE_CACHE: join(theirs, "cache"), NODE_DEBUG_NATIVE: "COMPILE_CACHE" },
      // That user can't write where the run counts its processes (costs/count-process.ts).
      ...{ NODE_OPTIONS: "", TEST_COSTS: "" },
    };
    const asUser = ["setpriv", "--reuid", "65534", "--clear-groups"];
    const link = [...asUser, "sh", "nginx/production/units/link-compiled", compiled];
    spawnSync("setpriv", link.slice(1), { cwd: ROOT, env: { ...bareEnvironment(), ...env } });
    const log = load("server.ts", env, [], asUser);
    expect(log).toMatch(/code cache for ESM \S*\/api\/app\.ts was accepted/);
    expect(readdirSync(env.NODE_COMPILE_CACHE)).toHaveLength(1);
    rmSync(compiled, { recursive: true });
    load("server.ts", env, [], asUser);
  },
);
