// What we use of Astro beyond its public API, beside live-content.ts and content-store.ts. Astro's version is exact in package.json;
// where a new one no longer fits, test/site/build/quick-build.slow.test.ts fails, and every build is a full one.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroIntegration } from "astro";
import type { BuildInput } from "../build/build-input.ts";
import type { RouteKeys } from "../build/build-record.ts";
import { readPage } from "../content-check/front-matter.ts";
import { contentRoot } from "../content-repository/content-root.ts";
import { collectionSchemas } from "../content-schema/collections.ts";
import { isDraft } from "../content-schema/fields.ts";
import { parseShop } from "../content-schema/shop.ts";
import { importAstro, importDependency } from "./astro-modules.ts";
import { contentVariable } from "./content-store.ts";

const CACHE = join(import.meta.dirname, "..", ".cache");
const KEPT = join(CACHE, "renderer");

/** What a full build keeps for quick ones, besides its bundle of the site's code and the content as Astro read it. */
interface Kept {
  code: string;
  texts: BuildInput["texts"];
  /** Parts of Astro's settings. */
  scripts: object[];
  config: { site: string; image: { service: { entrypoint: string } }; markdown: object };
}

/**
 * Astro integration that keeps what `openRenderer` needs to render pages without Astro's build. `keys` has every page of the
 * build once it is finished.
 */
export function keepRenderer({ code, texts }: BuildInput): AstroIntegration & { keys: RouteKeys } {
  const keys: RouteKeys = {};
  return {
    keys,
    name: "keep-renderer",
    hooks: {
      "astro:build:start": ({ setPrerenderer }) => {
        setPrerenderer((byAstro) => ({
          ...byAstro,
          async setup() {
            await byAstro.setup?.();
            await keep(byAstro, { code, texts });
          },
          async getStaticPaths() {
            const paths = await byAstro.getStaticPaths();
            for (const { pathname, cacheKey } of paths) keys[pathname] = cacheKey ?? null;
            return paths;
          },
        }));
      },
    },
  };
}

/** Keeps nothing if Astro isn't as we know it. */
async function keep(prerenderer: object, { code, texts }: Pick<Kept, "code" | "texts">): Promise<void> {
  rmSync(KEPT, { recursive: true, force: true });
  const { app } = prerenderer as { app?: App };
  const settings = app?.getSettings?.();
  if (settings?.config.markdown.processor?.name !== "satteri") return;
  const { getPrerenderOutputDirectory } = await importAstro("prerender/utils.js");
  const unfinished = `${KEPT}.next`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  cpSync(fileURLToPath(getPrerenderOutputDirectory(settings)), join(unfinished, "bundle"), { recursive: true });
  cpSync(join(CACHE, "data-store.json"), join(unfinished, "data-store.json"));
  const { site, image, markdown } = settings.config;
  const kept: Kept = { code, texts, scripts: settings.scripts, config: { site, image, markdown } };
  writeFileSync(join(unfinished, "kept.json"), JSON.stringify(kept));
  renameSync(unfinished, KEPT);
}

/** Renders pages of the current content with the code of the last full build. */
export interface Renderer {
  routes: Route[];
  /** The file that a route is written to, relative to the site's folder, and its content; undefined if it gets no file. */
  render(route: Route): Promise<{ file: string; body: Buffer | undefined }>;
}

type Route = { pathname: string; route: AstroRoute; cacheKey?: string | undefined };

/**
 * Opens what the last full build has kept, with all texts changed since brought up to date.
 *
 * @returns undefined if more than texts has changed: code, settings, .mdx files, which pages there are, which pictures they name
 */
export async function openRenderer({ code, texts }: BuildInput): Promise<Renderer | undefined> {
  const facts = join(KEPT, "kept.json");
  if (!existsSync(facts)) return undefined;
  const kept: Kept = JSON.parse(readFileSync(facts, "utf8"));
  const names = Object.keys(texts);
  if (kept.code !== code || names.join() !== Object.keys(kept.texts).join()) return undefined;
  const changed = names.filter((name) => texts[name] !== kept.texts[name]);
  const content = await readChangedContent(changed, kept);
  if (content === undefined) return undefined;
  Object.assign(globalThis, { [contentVariable]: content, astroAsset: await namePictures(kept) });
  const entry = readdirSync(join(KEPT, "bundle")).find((name) => name.startsWith("prerender-entry"));
  const { app, manifest }: Bundle = await import(pathToFileURL(join(KEPT, "bundle", entry ?? "")).href);
  const [{ StaticPaths }, { getOutputFilename }, { makePageDataKey }] = await Promise.all([
    importAstro("runtime/prerender/static-paths.js"),
    importAstro("core/output-filename.js"),
    importAstro("core/build/plugins/util.js"),
  ]);
  const sheets = manifest.routes.map(({ routeData: { route, component }, styles }): [string, object] => [
    makePageDataKey(route, component),
    { styles: styles.map((sheet, order) => ({ depth: 0, order, sheet })) },
  ]);
  app.setInternals({
    pagesByKeys: new Map(sheets),
    entrySpecifierToBundleMap: new Map(Object.entries(manifest.entryModules)),
  });
  app.setOptions({ settings: { scripts: kept.scripts }, logger: { options: { destination: problemsAlone } } });
  const { origin } = new URL(kept.config.site);
  // Reads the content.
  const routes: Route[] = await new StaticPaths(app).getAll();
  Reflect.deleteProperty(globalThis, contentVariable);
  return {
    routes,
    async render({ pathname, route }) {
      const file = getOutputFilename("file", pathname, route).replace(/^\//, "");
      const response = await app.render(new Request(`${origin}/${file}`), { routeData: route });
      if (response.status !== 200 && response.status !== 404) throw new Error(`${pathname} answers ${response.status}`);
      return { file, body: response.body ? Buffer.from(await response.arrayBuffer()) : undefined };
    },
  };
}

/** What Astro says while pages are rendered, if it warns. */
const problemsAlone = {
  write: ({ level, message }: { level: string; message: string }) => {
    if (level === "warn" || level === "error") console.warn(`[WARN] ${message}`);
  },
};

/** The stored content with changed texts read again; undefined if that isn't enough (see `openRenderer`). */
async function readChangedContent(names: readonly string[], kept: Kept): Promise<Map<string, unknown> | undefined> {
  const stored = readFileSync(join(KEPT, "data-store.json"), "utf8");
  const { parse } = await importDependency("devalue");
  const content: Map<string, Map<string, Entry>> = parse(stored);
  if (names.length === 0) return content;
  const [{ MutableDataStore }, { getEntryData }, { markdownContentEntryType }, { satteri }] = await Promise.all([
    importAstro("content/mutable-data-store.js"),
    importAstro("content/utils.js"),
    importAstro("vite-plugin-markdown/content-entry-type.js"),
    importDependency("@astrojs/markdown-satteri"),
  ]);
  const store = await MutableDataStore.fromMap(content);
  const { image, markdown } = kept.config;
  const config = { image, markdown: { ...markdown, processor: satteri() } };
  const renderText = await markdownContentEntryType.getRenderFunction(config);
  const { currency } = parseShop(
    readFileSync(join(contentRoot(), "content/store.yaml"), "utf8"),
    process.env["BASE_URL"],
  );
  const schemas = collectionSchemas(currency);
  for (const name of names) {
    const collection = name.slice(0, name.indexOf("/")) as keyof typeof schemas;
    const id = name.slice(collection.length + 1).replace(/\.md$/, "");
    const filePath = join(contentRoot(), "content", name);
    const contents = readFileSync(filePath, "utf8");
    const last = content.get(collection)?.get(id);
    if (last === undefined && isDraft(contents)) continue;
    if (last === undefined || isDraft(contents)) return undefined;
    const { body, data } = readPage(filePath, contents);
    const entry = { id, collection, unvalidatedData: data, _internal: { rawData: undefined, filePath } };
    const schema = schemas[collection];
    const parsed = await getEntryData(entry, { type: "content_layer", schema }, false);
    const { html, metadata } = await renderText({ id, data, body, filePath, digest: "" });
    const { frontmatter: _, ...others } = metadata;
    store.scopedStore(collection).set({
      id,
      data: parsed,
      body: collection === "guides" ? body : undefined,
      filePath: last.filePath,
      rendered: { html, metadata: others },
      assetImports: metadata.imagePaths,
    });
    const now = content.get(collection)?.get(id);
    if (JSON.stringify(now?.assetImports) !== JSON.stringify(last.assetImports)) return undefined;
  }
  return content;
}

/** Astro's names for pictures that pages show in other sizes and formats. */
async function namePictures({ config }: Kept): Promise<object> {
  const { hashTransform, propsToFilename } = await importAstro("assets/utils/hash.js");
  return {
    referencedImages: new Set(),
    recordReferencedImage() {},
    addStaticImage(options: { src: { src: string } }, properties: string[]) {
      const hash = hashTransform(options, config.image.service.entrypoint, properties);
      return encodeURI(propsToFilename(options.src.src, options, hash));
    },
  };
}

interface Entry {
  filePath?: string;
  assetImports?: string[];
}

interface AstroRoute {
  route: string;
  component: string;
  type: string;
}

interface App {
  getSettings?(): { scripts: object[]; config: Kept["config"] & { markdown: { processor?: { name: string } } } };
  setInternals(internals: object): void;
  setOptions(options: object): void;
  render(request: Request, options: { routeData: AstroRoute }): Promise<Response>;
}

interface Bundle {
  app: App;
  manifest: { routes: { routeData: AstroRoute; styles: object[] }[]; entryModules: Record<string, string> };
}
