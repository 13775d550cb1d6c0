import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import sharp from "sharp";
import { cleanDrawing } from "./clean-drawing.ts";

interface Asset {
  type: string;
  source?: string | Uint8Array;
}

const isPhotograph = /\.(?:jpe?g|png|webp|avif|gif)$/;

/**
 * Astro integration that lets no picture leave the shop as an editor's file, which may name its author, camera and
 * place: photographs only as what Astro makes of them, and drawings without metadata.
 */
export function cleanPictures(): AstroIntegration {
  // The files that Astro makes pictures from. They are read after the bundle is written.
  const originals = new Set<string>();
  const plugin = {
    name: "clean-pictures",
    transform: {
      filter: { id: /\.(?:png|webp|avif)(?:\?.*)?$/ },
      handler: turnUpright,
    },
    generateBundle(_options: unknown, bundle: Record<string, Asset>) {
      for (const [name, asset] of Object.entries(bundle)) {
        if (asset.type !== "asset" || asset.source === undefined) continue;
        if (isPhotograph.test(name)) originals.add(name);
        if (name.endsWith(".svg")) asset.source = cleanDrawing(Buffer.from(asset.source));
      }
    },
  };
  return {
    name: "clean-pictures",
    hooks: {
      "astro:config:setup": ({ updateConfig }) => void updateConfig({ vite: { plugins: [plugin] } }),
      "astro:build:done": async ({ dir }) => {
        await Promise.all([...originals].map((name) => rm(join(fileURLToPath(dir), name), { force: true })));
      },
    },
  };
}

/**
 * The name of a file that Vite writes: by hash alone, since for a picture that two products share it would depend on
 * which is rendered first. A drawing that is cleaned has a name of its own, since caches keep what they got under
 * another.
 */
export function nameAsset({ names, source }: { names: string[]; source: string | Uint8Array }): string {
  const named = "_astro/[hash][extname]";
  if (!names.some((name) => name.endsWith(".svg"))) return named;
  const bytes = Buffer.from(source);
  const clean = cleanDrawing(bytes);
  const hash = () => createHash("sha256").update(bytes).update(clean).digest("base64url").slice(0, 8);
  return clean === bytes ? named : named.replace("[hash]", hash);
}

/**
 * Corrects the size in the module that Astro makes of a picture. Astro turns pictures as they say, but reads from JPEGs
 * alone that they are turned: others would be cropped to the shape that they have lying down.
 */
async function turnUpright(code: string, id: string): Promise<{ code: string; map: null } | undefined> {
  const { autoOrient } = await sharp(id.replace(/\?.*$/, "")).metadata();
  const upright = code.replace(/"width":\d+,"height":\d+/, `"width":${autoOrient.width},"height":${autoOrient.height}`);
  return upright === code ? undefined : { code: upright, map: null };
}
