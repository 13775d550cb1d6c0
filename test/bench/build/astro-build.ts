// Builds a shop with Astro's build() and the shop's configuration, without the named integrations: node astro-build.ts SITE NAME…
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The part of Astro's configuration used here. */
interface Config {
  integrations: { name: string }[];
}

const [site = "", ...leftOut] = process.argv.slice(2);
// Astro reads files from the working directory.
process.chdir(site);
const astro = createRequire(join(site, "package.json")).resolve("astro");
const { build }: { build: (config: object) => Promise<void> } = await import(pathToFileURL(astro).href);
const { default: config }: { default: Config } = await import(pathToFileURL(join(site, "astro.config.ts")).href);

const unknown = leftOut.filter((name) => !config.integrations.some((integration) => integration.name === name));
if (unknown.length > 0) throw new Error(`site/astro.config.ts has no integration ${unknown.join(", ")}`);
const integrations = config.integrations.filter(({ name }) => !leftOut.includes(name));
await build({ ...config, integrations, configFile: false, root: site });
