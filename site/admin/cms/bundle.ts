import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "vite";

const ENTRY = join(import.meta.dirname, "editor.ts");
/** What the bundle is made of, beside Sveltia. */
const SOURCES = readdirSync(import.meta.dirname)
  .sort()
  .map((name) => join(import.meta.dirname, name));

/** Where Sveltia would look for fonts, although it has registered ours, and for a newer release of itself. */
const ELSEWHERE = /https:\/\/(?:cdn\.jsdelivr\.net\/fontsource\/fonts|unpkg\.com\/@sveltia\/cms)/g;

/**
 * What Sveltia says otherwise than it is here: above each message of the shop, though most say what to do now; and of what
 * somebody else has saved, with which a save is merged.
 */
const OWN_WORDS: Readonly<Record<string, string>> = {
  "There was an error while saving the entry. Please try again later.": "Nothing was saved.",
  "Beim Speichern des Eintrags ist ein Fehler aufgetreten. Bitte später erneut versuchen.": "Nichts wurde gespeichert.",
  "If you save now, their changes will be lost.":
    "If you save now, their changes stay, and you are asked about what you have changed, too.",
};

/** Where Sveltia refuses to save what somebody else has changed, too: saving.ts asks for less, and shows more. */
const REFUSAL = /if\(\w+&&!\w+\)(?=throw Error\([`"']save_conflict[`"'],\{cause)/;

const adapt: Plugin = {
  name: "adapt-sveltia",
  transform(code, id) {
    if (!id.includes("@sveltia/cms")) return null;
    const ours = Object.entries(OWN_WORDS).reduce((text, [theirs, words]) => text.replaceAll(theirs, words), code);
    return { code: ours.replaceAll(ELSEWHERE, "data:,").replace(REFUSAL, "if(false)"), map: null };
  },
};

/**
 * Bundles Sveltia with its fonts, so that nothing comes from elsewhere, below `folder`; returns the folder of the
 * bundle, whose script is editor.js. One that is there already is used.
 */
export async function bundleCms(folder: string): Promise<string> {
  const sveltia = createRequire(import.meta.url).resolve("@sveltia/cms");
  const sources = createHash("sha256");
  for (const path of [...SOURCES, sveltia]) sources.update(readFileSync(path));
  const hash = sources.digest("hex").slice(0, 12);
  const bundle = join(folder, hash);
  if (existsSync(bundle)) return bundle;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, "unfinished");
  await build({
    configFile: false,
    root: import.meta.dirname,
    base: "./",
    publicDir: false,
    logLevel: "error",
    plugins: [adapt],
    build: {
      outDir: unfinished,
      target: "es2022",
      // Only what is used is loaded: languages for code, maps and picture formats are parts of their own.
      modulePreload: false,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: {
        input: ENTRY,
        output: { entryFileNames: "editor.js", chunkFileNames: "[hash].js", assetFileNames: "[hash][extname]" },
      },
    },
  });
  renameSync(unfinished, bundle);
  return bundle;
}
