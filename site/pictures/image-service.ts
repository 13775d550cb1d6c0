import type { LocalImageService } from "astro";
import { baseService } from "astro/assets";
import { cleanDrawing } from "./clean-drawing.ts";
import { LARGEST_PX } from "./picture-sizes.ts";

/** The resolution at which a drawing is as large as it says (CSS Images 3, 5.2 takes 96; librsvg 72). */
const DRAWING_DPI = 72;
/** sharp's own limit. */
const MOST_DPI = 100_000;

/**
 * Makes the shop's pictures: upright, still, without metadata, at most LARGEST_PX wide. In place of Astro's own, which
 * takes the file itself where it can't make a picture of it, and turns no moving ones.
 */
const service: LocalImageService = {
  ...baseService,
  async validateOptions(options, config, logger) {
    const valid = (await baseService.validateOptions?.(options, config, logger)) ?? options;
    const { width, height } = valid;
    // Pictures in texts have the size of their files.
    if (width === undefined || height === undefined || width <= LARGEST_PX) return valid;
    return { ...valid, width: LARGEST_PX, height: Math.round((LARGEST_PX * height) / width) };
  },
  async transform(bytes, { width, height, format, background }) {
    if (format === "svg") return { data: cleanDrawing(bytes), format };
    // Rendering loads this module too, and needs no sharp.
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    const { format: type, width: drawn } = await sharp(bytes).metadata();
    const times = type === "svg" ? Math.max(1, (width ?? drawn) / drawn) : 1;
    const power = times === 1 ? 1 : await growthOf(bytes, drawn);
    const density = Math.min(MOST_DPI, DRAWING_DPI * times ** (1 / power));
    const picture = sharp(bytes, { failOn: "none", density }).autoOrient().resize({ width, height });
    if (background !== undefined) picture.flatten({ background });
    return { data: await picture.toFormat(format as "webp").toBuffer(), format };
  },
};

/** 1 if a drawing's width grows as the resolution does; 2 if it's in millimetres or inches, by which libvips scales twice. */
async function growthOf(bytes: Uint8Array, drawn: number): Promise<number> {
  const { default: sharp } = await import("sharp");
  const { width } = await sharp(bytes, { density: 2 * DRAWING_DPI }).metadata();
  return Math.max(1, Math.round(Math.log2(width / drawn)));
}

export default service;
