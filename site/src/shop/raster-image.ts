import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import { absoluteUrl } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";

// Formats that Google's merchant listings and feed and link previews accept: neither SVG nor AVIF.
const accepted: readonly string[] = ["png", "jpg", "jpeg", "webp", "gif"];

/** The absolute URL of a picture, or of a PNG of the same size if its format isn't accepted everywhere. */
export async function rasterImageUrl(picture: ImageMetadata): Promise<string> {
  const { src } = accepted.includes(picture.format) ? picture : await getImage({ src: picture, format: "png" });
  return absoluteUrl(src, shop.base_url);
}

/** The width of pictures in a basket, twice what is shown, for sharp screens. */
const THUMBNAIL_PX = 160;

/** The path of a small picture; a drawing is its own. */
export async function thumbnailPath(picture: ImageMetadata): Promise<string> {
  if (picture.format === "svg") return picture.src;
  const { src } = await getImage({ src: picture, width: Math.min(THUMBNAIL_PX, picture.width), format: "webp" });
  return src;
}
