import { readFileSync } from "node:fs";
import mdx from "@astrojs/mdx";
import { defineConfig } from "astro/config";
import { parseStore } from "./src/content/store.ts";

const store = parseStore(
  readFileSync(new URL("../content/store.yaml", import.meta.url), "utf8"),
  process.env["BASE_URL"],
);

export default defineConfig({
  site: store.base_url,
  outDir: "./dist",
  cacheDir: "./.cache",
  trailingSlash: "never",
  build: { format: "file" },
  integrations: [mdx()],
});
