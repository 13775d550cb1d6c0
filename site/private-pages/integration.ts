import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import type { RunnableDevEnvironment } from "vite";
import type { AssistantFile, Passage } from "../../api/contract/built-files/assistant.ts";
import { contentRoot } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import type { UnquotedFile } from "./endpoints/assistant-file.ts";
import { mailFiles } from "./mails.ts";
import { readPassages } from "./passages.ts";
import { buildSessionFolder, privatePageFiles } from "./session-folder.ts";
import { shopFacts } from "./store-facts.ts";

/** The files of the temporary pages, by what they are for. */
export const privatePageSources = {
  frame: "/.session-frame.html",
  counter: "/.session-counter.json",
  search: "/.session-search.index",
  assistant: "/.session-assistant.json",
} as const;
const framePath = privatePageSources.frame.replace(".html", "");
const { counter: counterPath, search: searchPath, assistant: assistantPath } = privatePageSources;

type PrivatePageTexts = Record<Exclude<keyof typeof privatePageSources, "search">, string> & { search: Uint8Array };

/**
 * Astro integration that writes the private pages' templates for the API: `.session/`, which nginx doesn't serve. It must
 * come after finish(): these pages have no Markdown and aren't compressed. The frame, the counter's relations and what
 * the search and the assistant know are temporary pages that the site renders. The dev server builds the folder anew for each request of
 * its manifest.
 */
export function privatePages(): AstroIntegration {
  let texts: PrivatePageTexts | undefined;
  let dev = new Map<string, string | Uint8Array>();
  return {
    name: "private-pages",
    hooks: {
      "astro:config:setup": ({ injectRoute }) => {
        const entrypoint = new URL("../src/private-pages/frame.astro", import.meta.url);
        injectRoute({ pattern: framePath, entrypoint, prerender: true });
        const counter = new URL("../src/resources/counter.ts", import.meta.url);
        injectRoute({ pattern: counterPath, entrypoint: counter, prerender: true });
        const searchIndex = new URL("./endpoints/search-index.ts", import.meta.url);
        injectRoute({ pattern: searchPath, entrypoint: searchIndex, prerender: true });
        const assistantFile = new URL("./endpoints/assistant-file.ts", import.meta.url);
        injectRoute({ pattern: assistantPath, entrypoint: assistantFile, prerender: true });
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use("/.session/", (request, response, next) => {
          const path = (request.url ?? "").slice(1);
          const refresh = async () => {
            const get = (path: string) => fetch(ownAddress(request) + path);
            const render = async (path: string) => (await get(path)).text();
            // As Astro imports pages: of several runners, the server tells only the first that a file has changed.
            const { runner } = server.environments.ssr as RunnableDevEnvironment;
            const load = (file: string) => runner.import(file);
            dev = await privatePageFiles({
              frame: await render(framePath),
              search: await (await get(searchPath)).bytes(),
              assistant: await withPassages(await render(assistantPath), readPassagesFrom(render)),
              ...withCounter(readShop(), await render(counterPath)),
              load,
            });
          };
          (path === "manifest.json" ? refresh() : Promise.resolve()).then(() => {
            // The import reads store.json before the API has asked for the manifest.
            const content = dev.get(path) ?? readShop().files[path];
            if (content === undefined) return void response.writeHead(404).end();
            response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
            response.end(content);
          }, next);
        });
      },
      // Before the integrations that read every page.
      "astro:build:generated": ({ dir }) => {
        const take = (path: string) => {
          const file = join(fileURLToPath(dir), path);
          if (!existsSync(file)) throw new Error(`${path} wasn't rendered.`);
          const bytes = readFileSync(file);
          rmSync(file);
          return bytes;
        };
        const { frame, counter, search, assistant } = privatePageSources;
        texts = {
          frame: take(frame).toString(),
          counter: take(counter).toString(),
          search: take(search),
          assistant: take(assistant).toString(),
        };
      },
      "astro:build:done": async ({ dir }) => {
        if (texts) await writePrivatePages(fileURLToPath(dir), texts);
      },
    },
  };
}

/**
 * Writes `.session/` into the folder of a built site.
 *
 * @param known the passages of a page if they are known
 */
export async function writePrivatePages(
  dist: string,
  { frame, counter, search, assistant }: PrivatePageTexts,
  known: (path: string) => Passage[] | undefined = () => undefined,
): Promise<void> {
  const read = readPassagesFrom(async (path) => readFileSync(join(dist, `${path}.html`), "utf8"));
  await buildSessionFolder({
    frame,
    search,
    assistant: await withPassages(assistant, async (path) => known(path) ?? read(path)),
    ...withCounter(readShop(), counter),
    out: join(dist, ".session"),
  });
}

function readShop() {
  const content = join(contentRoot(), "content");
  const shop = parseShop(readFileSync(join(content, "store.yaml"), "utf8"), process.env["BASE_URL"]);
  const { name, locale, currency, notice, base_url } = shop;
  const files: Record<string, string> = {
    ...mailFiles(content, shop),
    "store.json": JSON.stringify(shopFacts(shop, Boolean(process.env["STRIPE_SECRET_KEY"]))),
  };
  return { shop: { name, locale, currency, notice }, base_url, files };
}

const withCounter = ({ shop, files }: ReturnType<typeof readShop>, counter: string) => ({
  shop,
  files: { ...files, "counter.json": counter },
});

/** Puts the passages of pages in the place of their paths. */
async function withPassages(assistant: string, read: (path: string) => Promise<Passage[]>): Promise<string> {
  const facts: UnquotedFile = JSON.parse(assistant);
  const passages = (await Promise.all(facts.passages.map(read))).flat();
  return JSON.stringify({ ...facts, passages } satisfies AssistantFile);
}

/** @param render returns the HTML of a path */
const readPassagesFrom = (render: (path: string) => Promise<string>) => {
  const { base_url } = readShop();
  return async (path: string) => readPassages(await render(path), path, base_url);
};

/** Returns a function that gives the passages which the built site in `dist` has of a page. */
export function readPassagesOf(dist: string): (path: string) => Passage[] {
  const { passages }: AssistantFile = JSON.parse(
    readFileSync(join(dist, ".session", assistantPath.replace("/.session-", "")), "utf8"),
  );
  const byPage = Map.groupBy(passages, ({ path }) => path.split("#", 1)[0] ?? "");
  return (path) => byPage.get(path) ?? [];
}
