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
