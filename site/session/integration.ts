import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { contentRoot } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import { mailFiles } from "./mails.ts";
import { readPassages } from "./passages.ts";
import { buildSessionFolder, sessionFiles } from "./session-folder.ts";
import { shopFacts } from "./store-facts.ts";

/** The files of the temporary pages, by what they are for. */
export const sessionSources = {
  frame: "/.session-frame.html",
  counter: "/.session-counter.json",
  search: "/.session-search.json",
  assistant: "/.session-assistant.json",
} as const;
const framePath = sessionSources.frame.replace(".html", "");
const { counter: counterPath, search: searchPath, assistant: assistantPath } = sessionSources;

type SessionTexts = Record<keyof typeof sessionSources, string>;

/**
 * Astro integration that writes the private pages' templates for the API: `.session/`, which nginx doesn't serve. It must
 * come after publish(): these pages have no Markdown and aren't compressed. The frame, the counter's relations and what
 * the search and the assistant know are temporary pages that the site renders. The dev server builds the folder anew for each request of
 * its manifest.
 */
export function session(): AstroIntegration {
  let texts: SessionTexts | undefined;
  let dev = new Map<string, string>();
  return {
    name: "session",
    hooks: {
      "astro:config:setup": ({ injectRoute }) => {
        const entrypoint = new URL("../src/session/frame.astro", import.meta.url);
        injectRoute({ pattern: framePath, entrypoint, prerender: true });
        const counter = new URL("../src/resources/counter.ts", import.meta.url);
        injectRoute({ pattern: counterPath, entrypoint: counter, prerender: true });
        const searchFile = new URL("./endpoints/search-file.ts", import.meta.url);
        injectRoute({ pattern: searchPath, entrypoint: searchFile, prerender: true });
        const assistantFile = new URL("./endpoints/assistant-file.ts", import.meta.url);
        injectRoute({ pattern: assistantPath, entrypoint: assistantFile, prerender: true });
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use("/.session/", (request, response, next) => {
          const path = (request.url ?? "").slice(1);
          const refresh = async () => {
            const render = async (path: string) => (await fetch(ownAddress(request) + path)).text();
            const load = (file: string) => server.ssrLoadModule(file);
            const search = await render(searchPath);
            dev = await sessionFiles({
              frame: await render(framePath),
              search,
              assistant: await withPassages(await render(assistantPath), search, render),
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
          const text = readFileSync(file, "utf8");
          rmSync(file);
          return text;
        };
        const { frame, counter, search, assistant } = sessionSources;
        texts = { frame: take(frame), counter: take(counter), search: take(search), assistant: take(assistant) };
      },
      "astro:build:done": async ({ dir }) => {
        if (texts) await writeSession(fileURLToPath(dir), texts);
      },
    },
  };
}

/** Writes `.session/` into the folder of a built site. */
export async function writeSession(dist: string, { frame, counter, search, assistant }: SessionTexts): Promise<void> {
  const read = async (path: string) => readFileSync(join(dist, `${path}.html`), "utf8");
  await buildSessionFolder({
    frame,
    search,
    assistant: await withPassages(assistant, search, read),
    ...withCounter(readShop(), counter),
    out: join(dist, ".session"),
  });
}

function readShop() {
  const content = join(contentRoot(), "content");
  const shop = parseShop(readFileSync(join(content, "store.yaml"), "utf8"), process.env["BASE_URL"]);
  const { name, locale, currency, notice } = shop;
  const files: Record<string, string> = {
    ...mailFiles(content, shop),
    "store.json": JSON.stringify(shopFacts(shop, Boolean(process.env["STRIPE_SECRET_KEY"]))),
  };
  return { shop: { name, locale, currency, notice }, files };
}

const withCounter = ({ shop, files }: ReturnType<typeof readShop>, counter: string) => ({
  shop,
  files: { ...files, "counter.json": counter },
});

/**
 * Adds what the assistant may quote: the passages of every page that the search finds but products, and without those for
 * programmers, whose words are those of customers' questions too.
 */
async function withPassages(assistant: string, search: string, read: (path: string) => Promise<string>) {
  const { base_url, pages, categories }: SearchedPages = JSON.parse(search);
  const paths = [...pages, ...categories].map(({ path }) => path).filter((path) => !/^\/developers\b/.test(path));
  const passages = await Promise.all(paths.map(async (path) => readPassages(await read(path), path, base_url)));
  return JSON.stringify({ ...JSON.parse(assistant), passages: passages.flat() });
}

/** The part of search.json that names pages. */
interface SearchedPages {
  base_url: string;
  pages: { path: string }[];
  categories: { path: string }[];
}
