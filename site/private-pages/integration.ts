import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import type { RunnableDevEnvironment } from "vite";
import type { AssistantFile } from "../../api/contract/built-files/assistant.ts";
import type { Page, Product } from "../../api/contract/built-files/search.ts";
import { KINDS, unpackIndex } from "../../api/contract/search/index-file.ts";
import { writeSearchIndex } from "../../api/contract/search/write-index.ts";
import { contentRoot } from "../content-repository/content-root.ts";
import { parseShop } from "../content-schema/shop.ts";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import { readOwnWords } from "../words/own-words.ts";
import type { UnquotedFile } from "./endpoints/assistant-file.ts";
import type { UnreadFacts } from "./endpoints/search-facts.ts";
import { mailFiles } from "./mails.ts";
import { type PageText, readPageText } from "./passages.ts";
import { buildSessionFolder, privatePageFiles } from "./session-folder.ts";
import { shopFacts } from "./store-facts.ts";

/** The files of the temporary pages, by what they are for. */
export const privatePageSources = {
  frame: "/.session-frame.html",
  counter: "/.session-counter.json",
  search: "/.session-search.jsonl",
  assistant: "/.session-assistant.json",
  contentOffers: "/.session-content-offers.json",
} as const;
const framePath = privatePageSources.frame.replace(".html", "");
const {
  counter: counterPath,
  search: searchPath,
  assistant: assistantPath,
  contentOffers: contentOffersPath,
} = privatePageSources;

/** What they say. */
type PrivatePageTexts = Record<Exclude<keyof typeof privatePageSources, "search">, string> & {
  /** What the search's index is made of, or the index where that is as it was. */
  search: Uint8Array | { index: Uint8Array };
};

/**
 * Astro integration that writes the private pages' templates for the API: `.session/`, which nginx doesn't serve. It must
 * come after finish(): these pages have no Markdown and aren't compressed. The frame, the counter's relations and what
 * the search and the assistant know besides pages' texts are temporary pages that the site renders. The dev server builds the folder anew for each request of
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
        const searchFacts = new URL("./endpoints/search-facts.ts", import.meta.url);
        injectRoute({ pattern: searchPath, entrypoint: searchFacts, prerender: true });
        const assistantFile = new URL("./endpoints/assistant-file.ts", import.meta.url);
        injectRoute({ pattern: assistantPath, entrypoint: assistantFile, prerender: true });
        const contentOffers = new URL("./endpoints/content-offers.ts", import.meta.url);
        injectRoute({ pattern: contentOffersPath, entrypoint: contentOffers, prerender: true });
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
              ...(await withTexts(
                { search: await (await get(searchPath)).bytes(), assistant: await render(assistantPath) },
                readTextsFrom(render),
              )),
              contentOffers: await render(contentOffersPath),
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
        const { frame, counter, search, assistant, contentOffers } = privatePageSources;
        texts = {
          frame: take(frame).toString(),
          counter: take(counter).toString(),
          search: take(search),
          assistant: take(assistant).toString(),
          contentOffers: take(contentOffers).toString(),
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
 * @param known the text of a page if it is known
 */
export async function writePrivatePages(
  dist: string,
  { frame, counter, search, assistant, contentOffers }: PrivatePageTexts,
  known: (path: string) => PageText | undefined = () => undefined,
): Promise<void> {
  const read = readTextsFrom(async (path) => readFileSync(join(dist, `${path}.html`), "utf8"));
  await buildSessionFolder({
    frame,
    ...(await withTexts({ search, assistant }, async (path) => known(path) ?? read(path))),
    contentOffers,
    ...withCounter(readShop(), counter),
    out: join(dist, ".session"),
  });
}

function readShop() {
  const content = join(contentRoot(), "content");
  const shop = parseShop(readFileSync(join(content, "store.yaml"), "utf8"), process.env["BASE_URL"]);
  const { name, locale, currency, notice, base_url } = shop;
  const ownWords = readOwnWords(content);
  const files: Record<string, string> = {
    ...mailFiles(content, shop),
    "store.json": JSON.stringify(shopFacts(shop, Boolean(process.env["STRIPE_SECRET_KEY"]), ownWords)),
  };
  return { shop: { name, locale, currency, notice }, ownWords, base_url, files };
}

const withCounter = ({ shop, ownWords, files }: ReturnType<typeof readShop>, counter: string) => ({
  shop,
  ownWords,
  files: { ...files, "counter.json": counter },
});

/**
 * Makes the search's index, and puts the passages of pages in the place of their paths.
 *
 * @param read returns the text of a path
 */
async function withTexts(
  { search, assistant }: Pick<PrivatePageTexts, "search" | "assistant">,
  read: (path: string) => Promise<PageText>,
): Promise<{ search: Uint8Array; assistant: string }> {
  const texts = new Map<string, Promise<PageText>>();
  const textOf = (path: string): Promise<PageText> => {
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return text;
  };
  const index = "index" in search ? search.index : await makeIndex(search, textOf);
  const quoted: UnquotedFile = JSON.parse(assistant);
  const passages = await Promise.all(quoted.passages.map(async (path) => (await textOf(path)).passages));
  const file: AssistantFile = { ...quoted, passages: passages.flat() };
  return { search: index, assistant: JSON.stringify(file) };
}

async function makeIndex(search: Uint8Array, textOf: (path: string) => Promise<PageText>): Promise<Uint8Array> {
  const lines = readLines(search);
  const { pages, ...facts }: UnreadFacts = lines.next().value;
  const index = await writeSearchIndex({
    ...facts,
    products: lines as Iterable<Product>,
    pages: await Promise.all(pages.map(async (page) => ({ ...page, text: (await textOf(page.path)).text }))),
  });
  return Buffer.concat(index);
}

/** The values of lines of JSON, each parsed when its turn comes. */
function* readLines(bytes: Uint8Array) {
  const decoder = new TextDecoder();
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    yield JSON.parse(decoder.decode(bytes.subarray(from, end)));
    from = end + 1;
  }
}

/** @param render returns the HTML of a path */
const readTextsFrom = (render: (path: string) => Promise<string>) => {
  const { base_url } = readShop();
  return async (path: string) => readPageText(await render(path), path, base_url);
};

/** Returns a function that gives the text which the built site in `dist` has of a page. */
export function readTextsOf(dist: string): (path: string) => PageText {
  const folder = join(dist, ".session");
  const { passages }: AssistantFile = JSON.parse(readFileSync(join(folder, "assistant.json"), "utf8"));
  const byPage = Map.groupBy(passages, ({ path }) => path.split("#", 1)[0] ?? "");
  const texts = new Map(readPages(new Uint8Array(readFileSync(join(folder, "search.index")))));
  return (path) => ({ passages: byPage.get(path) ?? [], text: texts.get(path) ?? "" });
}

/** The paths and texts of an index's pages. */
function* readPages(index: Uint8Array): Generator<[string, string]> {
  const unpacked = unpackIndex(index);
  if (!unpacked) throw new Error("The last build's search index is of another release.");
  const { kinds, recordEnds } = unpacked.sections;
  const decoder = new TextDecoder();
  for (const [entry, end] of recordEnds.entries()) {
    if (KINDS[kinds[entry] ?? -1] === "product") continue;
    const { path, text }: Page = JSON.parse(decoder.decode(unpacked.records.subarray(recordEnds[entry - 1] ?? 0, end)));
    yield [path, text];
  }
}
