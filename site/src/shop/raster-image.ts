import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import { absoluteUrl } from "../../urls/paths.ts";
import { shop } from "../settings/shop.ts";

// What Google's merchant listings and feed read, and link previews too: no SVG, no AVIF.
const accepted: readonly string[] = ["png", "jpg", "jpeg", "webp", "gif"];

/** The absolute URL of a picture in a format that every machine reads: its own, or that of a PNG of the same size. */
export async function rasterImageUrl(picture: ImageMetadata): Promise<string> {
  const { src } = accepted.includes(picture.format) ? picture : await getImage({ src: picture, format: "png" });
  return absoluteUrl(src, shop.base_url);
}
