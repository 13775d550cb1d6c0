import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
/** The project's files, those that aren't committed yet included. */
const FILES = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
})
  .stdout.split("\n")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)));
/** Of the shops in fixtures/ they are content. */
const READMES = FILES.filter((file) => basename(file) === "README.md" && !/^test\/fixtures\/.+\/.+\//.test(file));

/** The commands that READMEs name: a file that runs each for the tests, or why none does. */
const COMMANDS: Readonly<Record<string, { runBy: string } | { notRun: string }>> = {
  "npm start": { runBy: "test/end-to-end/shop-process.ts" },
  "npm run dev": { runBy: "test/end-to-end/commands/dev.slow.test.ts" },
  "npm run setup": { runBy: "test/production/debian-host.test.ts" },
  "npm run build": { runBy: "test/site/build/build.slow.test.ts" },
  "npm run check:content": { runBy: "test/project/own-content.test.ts" },
  "npm run new": { runBy: "test/site/commands/new-command.ts" },
  "npm run new:shop": { runBy: "test/site/commands/new-shop.test.ts" },
  "npm run import:catalogue": { runBy: "test/site/catalogue-import/import-command.test.ts" },
  "npm run export:catalogue": { runBy: "test/site/catalogue-import/import-command.test.ts" },
  "npm run content:pull": { notRun: "it is two lines of git; commands.slow.test.ts asks only how it's used" },
  "npm run migrate": { runBy: "test/api/server.slow.test.ts" },
  "npm run import": { runBy: "test/api/server.slow.test.ts" },
  "npm run api": { runBy: "test/api/server.slow.test.ts" },
  "npm run worker": { runBy: "test/api/platform/outbox/delivery-faults.slow.test.ts" },
  "npm run admin": { runBy: "test/site/admin/server.test.ts" },
  "npm run nginx": { runBy: "test/nginx/write-configuration.test.ts" },
  "npm run release": { runBy: "test/production/failing-releases.test.ts" },
  "npm run rollback": { runBy: "test/end-to-end/commands/release.slow.test.ts" },
  "npm run refresh": { runBy: "test/end-to-end/commands/release.slow.test.ts" },
  "npm run install:host": { runBy: "test/nginx/production/install-host.slow.test.ts" },
  "npm run doctor": { runBy: "test/nginx/production/doctor.slow.test.ts" },
  "npm run order": { runBy: "test/nginx/local/shop-command.slow.test.ts" },
  "npm run stock": { runBy: "test/api/selling/stock/stock-command.slow.test.ts" },
  "npm run editor": { runBy: "test/api/staff/sign-in/editor-command.slow.test.ts" },
  "npm run erase": { runBy: "test/api/operation/erasure/erase-command.slow.test.ts" },
  "npm run backup": { runBy: "test/api/operation/backup/restore.slow.test.ts" },
  "npm run restore": { runBy: "test/api/operation/backup/backup-shop.ts" },
  "npm run openapi": { runBy: "test/api/platform/openapi/openapi.test.ts" },
  "npm --prefix site run check": { runBy: "test/run.ts" },
  "npm test": { notRun: "it is what runs the tests" },
  "npm run test:all": { notRun: "likewise" },
  "npm run test:deep": { notRun: "likewise" },
  "npm run format": { notRun: "it changes files; `npm test` fails where it would" },
  "npm run grade": { notRun: "it takes minutes and packages of its own; grades.test.ts has how it judges" },
  "npm run bench": { notRun: "it takes an hour and packages of its own" },
};

/** The blocks of other commands, by README and heading: a test that runs them, or why none does. */
const BLOCKS: Readonly<Record<string, { runBy: string } | { notRun: string }>> = {
  "README.md: What to do next": { runBy: "test/end-to-end/ordering/readme.slow.test.ts" },
  "site/catalogue-import/README.md: Seven commands": {
    runBy: "test/site/catalogue-import/from-your-shop.test.ts",
  },
  "nginx/production/README.md: From a bare Debian to a live shop": { runBy: "test/production/debian-host.test.ts" },
  "nginx/production/README.md: Upgrade the host": { runBy: "test/production/debian-host.test.ts" },
  "nginx/production/README.md: Editors on the host": { runBy: "test/production/debian-host.test.ts" },
  "nginx/production/README.md: A shop beside the checkout": {
    notRun: "install-host.slow.test.ts installs a host with such content",
  },
  "nginx/production/README.md: Restore on a host": { runBy: "test/production/debian-host.test.ts" },
  "nginx/production/README.md: Each step as a command": {
    notRun: "its npm commands are above; nginx-user.test.ts runs the written start",
  },
  "nginx/production/README.md: Several hosts": {
    notRun: "galera.deep.test.ts runs its configurations without six machines",
  },
  "nginx/production/README.md: Caches": { notRun: "varnish.test.ts runs its recipe and its ban, but installs nothing" },
  "nginx/production/README.md: In containers": {
    notRun: "containers.deep.test.ts runs compose.yaml's services without Docker",
  },
  "test/fixtures/demo-shop/README.md: The tests' copy of the demo shop": { notRun: "it replaces this folder" },
  "api/README.md: How the assistant calls its tools": { notRun: "end-to-end/assistant/ makes the same calls" },
};

/** What a build, a running shop or its owner makes. */
const MADE =
  /^(?:\.\.\/my-shop|\.data|site\/(?:dist|\.builds|\.cache|link)|dist|\.(?:builds|cache|session|moved|astro|well-known)|test\/bench\/results|current)\b/;
/** Looks like a path and isn't one of this project, or is one that the reader makes. */
const FOREIGN = [
  ...[
    "text/html",
    "text/markdown",
    "content/main",
    "@emnapi/runtime",
    "@astrojs/check",
    ".md",
    ".liquid",
    ".slow.test.ts",
  ],
  ...[
    "x.md",
    "fr.ts",
    "products.json",
    "tls/",
    "tls.conf",
    "logrotate.conf",
    "publication/request.json",
    "progress.json",
  ],
];

interface Readme {
  headings: string[];
  /** Shell blocks by the heading above them. */
  blocks: { heading: string; text: string }[];
  /** All lines outside of blocks. */
  prose: string;
}

function parse(file: string): Readme {
  const readme: Readme = { headings: [], blocks: [], prose: "" };
  // Every second part is a block: its language and its text.
  for (const [index, part] of read(file).split(/^```/m).entries()) {
    if (index % 2 === 0) {
      readme.prose += part;
      readme.headings.push(...Array.from(part.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => heading));
    } else if (part.startsWith("sh\n"))
      readme.blocks.push({ heading: readme.headings.at(-1) ?? "", text: part.slice(3) });
  }
  return readme;
}

const NPM = /\bnpm (?:--prefix \S+ )?(?:run (?:-s )?[\w:]+|start|test)\b/g;
const inlineCode = (prose: string) => Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code);

/** The program that a command of npm starts. */
function programOf(command: string): string {
  const [, prefix = ".", name = ""] = /^npm (?:--prefix (\S+) )?(?:run )?([\w:]+)$/.exec(command) ?? [];
  const script: string | undefined = JSON.parse(read(join(prefix, "package.json"))).scripts[name];
  if (script === undefined) throw new Error(`${command} isn't in package.json.`);
  return basename(/\S+\.[jt]s(?=[^/]*$)/.exec(script)?.[0] ?? script);
}

test.each(READMES)("each command in %s is run by a test, or named as not", (file) => {
  const { blocks, prose } = parse(file);
  const code = [...blocks.map(({ text }) => text), ...inlineCode(prose)];
  const commands = code.flatMap((text) => text.match(NPM) ?? []);
  const others = blocks.filter(({ text }) => text.split("\n").some((line) => /^(?!npm |#|$)/.test(line)));
  expect(commands.filter((command) => !(command in COMMANDS))).toEqual([]);
  expect(others.map(({ heading }) => `${file}: ${heading}`).filter((block) => !(block in BLOCKS))).toEqual([]);
});

test("the commands of these lists exist, and the files that run them name them", () => {
  const wrong = Object.entries(COMMANDS).filter(([command, by]) => {
    const program = programOf(command);
    if ("notRun" in by) return false;
    const code = read(by.runBy);
    const names = [
      program,
      program.replace(/\.[jt]s$/, ""),
      command,
      command.replace("npm --prefix site run", "npm run -s"),
    ];
    return !names.some((name) => code.includes(name));
  });
  expect(wrong).toEqual([]);
  for (const [block, by] of Object.entries(BLOCKS)) {
    const [file = "", heading = ""] = block.split(": ");
    expect(parse(file).headings).toContain(heading);
    if ("runBy" in by) expect(FILES).toContain(by.runBy);
  }
});

/** As GitHub makes a heading's anchor. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

test.each(READMES)("the links of %s lead to files and headings", (file) => {
  const prose = parse(file).prose.replace(/`[^`\n]+`/g, "");
  const targets = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target);
  const broken = targets.filter((target) => {
    if (/^(?:https?:|mailto:|\/)/.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const found = path === "" ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(ROOT, found))) return true;
    return anchor !== undefined && !parse(found).headings.map(anchorOf).includes(anchor);
  });
  expect(broken).toEqual([]);
});

const PATH =
  /^(?:[\w.@[\]-]+\/)+[\w.@[\]-]*$|^[\w.-]*\.(?:[jt]s|astro|conf|css|mdx?|json|ya?ml|vcl|cnf|cfg|liquid|tsv)$/;

/** Whether a path exists: from a README's folder, from the root, or as the end of one below the folder; a bare name anywhere. */
function exists(path: string, folder: string): boolean {
  const within = path.includes("/") ? FILES.filter((file) => folder === "." || file.startsWith(`${folder}/`)) : FILES;
  // Tables of tests leave the ending out.
  const named = ["", ".test.ts", ".slow.test.ts"].map((ending) => `/${path}${ending}`);
  const isIt = (file: string) =>
    named.some((name) => (path.endsWith("/") ? `/${file}`.includes(name) : `/${file}`.endsWith(name)));
  return existsSync(join(ROOT, folder, path)) || existsSync(join(ROOT, path)) || within.some(isIt);
}

// content/README.md gives editors names to make up.
test.each(READMES.filter((file) => file !== "content/README.md"))("the paths that %s names exist", (file) => {
  const paths = inlineCode(parse(file).prose).filter((code) => PATH.test(code) && !MADE.test(code));
  expect(paths.filter((path) => !FOREIGN.includes(path) && !exists(path, dirname(file)))).toEqual([]);
});

test("a folder of more than 15 files at one level has its reason in the README above it", () => {
  const counts = new Map<string, number>();
  for (const file of FILES)
    if (!/^(?:content|test\/fixtures)\//.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const large = [...counts].filter(([, count]) => count > 15).map(([folder]) => folder);
  const unexplained = large.filter((folder) => {
    let above = folder;
    while (!FILES.includes(join(above, "README.md"))) above = dirname(above);
    const reason = /^.*olders of more than 15 files.*$/m.exec(read(join(above, "README.md")))?.[0] ?? "";
    return !reason.includes(
      above === folder ? "this one" : `\`${folder.slice(above === "." ? 0 : above.length + 1)}/\``,
    );
  });
  expect(unexplained).toEqual([]);
});

test("no paragraph stands in two READMEs", () => {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  for (const file of READMES)
    for (const line of new Set(
      parse(file)
        .prose.split("\n")
        .filter((each) => each.length > 80),
    )) {
      if (seen.has(line)) twice.push(`${seen.get(line)} and ${file}: ${line}`);
      seen.set(line, file);
    }
  expect(twice).toEqual([]);
});

test("the root's README takes five minutes", () => {
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12_000);
  expect(read("README.md").split(/\s+/).length).toBeLessThanOrEqual(1_800);
});
