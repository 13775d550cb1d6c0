import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import { LARGEST_PX, publishedSize } from "../../pictures/picture-sizes.ts";
import { absoluteUrl } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";

/** The widths in which photographs are published, as far as they have them. */
const WIDTHS_PX = [320, 640, 960, LARGEST_PX];
/** Of the picture that browsers without `srcset` load. */
const USUAL_PX = 960;

/** The options for Astro's pictures of a photograph, the same wherever it's shown, so that each is made once. */
export const photographSizes = ({ width }: ImageMetadata) => ({
  widths: WIDTHS_PX.filter((each) => each <= width),
  // Otherwise Astro would publish another one, as wide as the file.
  width: Math.min(USUAL_PX, width),
});

/**
 * The path of a picture as large as a page has it: a drawing, or a photograph as WebP. The file itself is never
 * published.
 */
export async function largestPath(picture: ImageMetadata): Promise<string> {
  if (picture.format === "svg") return picture.src;
  const { src, srcSet } = await getImage({ src: picture, ...photographSizes(picture) });
  return picture.width >= LARGEST_PX ? (srcSet.values.at(-1)?.url ?? src) : src;
}

/**
 * The absolute URL of a picture as search engines and price search engines take it: as large as a page has it; a
 * drawing as a PNG, since they take neither SVG nor AVIF.
 *
 * @see https://support.google.com/merchants/answer/6324350
 */
export async function rasterImageUrl(picture: ImageMetadata): Promise<string> {
  return absoluteUrl(picture.format === "svg" ? await pngPath(picture) : await largestPath(picture), shop.base_url);
}

/**
 * The absolute URL of a picture for link previews: a JPEG, since LinkedIn and others don't show WebP, and Open Graph's
 * own documentation promises no more than JPEG, PNG and GIF.
 */
export async function previewUrl(picture: ImageMetadata): Promise<string> {
  if (picture.format === "svg") return rasterImageUrl(picture);
  const width = Math.min(LARGEST_PX, picture.width);
  const { src } = await getImage({ src: picture, width, format: "jpeg", background: "#ffffff" });
  return absoluteUrl(src, shop.base_url);
}

async function pngPath(picture: ImageMetadata): Promise<string> {
  const { src } = await getImage({ src: picture, width: publishedSize(picture).width, format: "png" });
  return src;
}

/** The width of pictures in a basket, twice what is shown, for sharp screens. */
const THUMBNAIL_PX = 160;

/** The path of a small picture; a drawing is its own. */
export async function thumbnailPath(picture: ImageMetadata): Promise<string> {
  if (picture.format === "svg") return picture.src;
  const { src } = await getImage({ src: picture, width: Math.min(THUMBNAIL_PX, picture.width), format: "webp" });
  return src;
}
