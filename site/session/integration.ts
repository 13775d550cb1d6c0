import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { parseShop } from "../content-schema/shop.ts";
import { ownAddress } from "../markdown-face/dev-middleware.ts";
import { mailFiles } from "./mails.ts";
import { buildSessionFolder, sessionFiles } from "./session-folder.ts";
import { shopFacts } from "./store-facts.ts";

const framePath = "/.session-frame";
const counterPath = "/.session-counter.json";
const searchPath = "/.session-search.json";

/**
 * Astro integration that writes the private pages' templates for the API: `.session/`, which nginx doesn't serve. It must
 * come after publish(): these pages have no Markdown and aren't compressed. The frame, the counter's relations and what
 * the search knows are temporary pages that the site renders. The dev server builds the folder anew for each request of
 * its manifest.
 */
export function session(): AstroIntegration {
  let frame = "";
  let counter = "";
  let search = "";
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
      },
      "astro:server:setup": ({ server }) => {
        server.middlewares.use("/.session/", (request, response, next) => {
          const path = (request.url ?? "").slice(1);
          const refresh = async () => {
            const render = async (path: string) => (await fetch(ownAddress(request) + path)).text();
            const load = (file: string) => server.ssrLoadModule(file);
            dev = await sessionFiles({
              frame: await render(framePath),
              search: await render(searchPath),
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
        frame = take(`${framePath}.html`);
        counter = take(counterPath);
        search = take(searchPath);
      },
      "astro:build:done": async ({ dir }) => {
        await buildSessionFolder({
          frame,
          search,
          ...withCounter(readShop(), counter),
          out: join(fileURLToPath(dir), ".session"),
        });
      },
    },
  };
}

const CONTENT = fileURLToPath(new URL("../../content", import.meta.url));

function readShop() {
  const shop = parseShop(readFileSync(join(CONTENT, "store.yaml"), "utf8"), process.env["BASE_URL"]);
  const { name, locale, currency, notice } = shop;
  const files: Record<string, string> = {
    ...mailFiles(CONTENT, shop),
    "store.json": JSON.stringify(shopFacts(shop, Boolean(process.env["STRIPE_SECRET_KEY"]))),
  };
  return { shop: { name, locale, currency, notice }, files };
}

const withCounter = ({ shop, files }: ReturnType<typeof readShop>, counter: string) => ({
  shop,
  files: { ...files, "counter.json": counter },
});
