import { getImage } from "astro:assets";
import { basename } from "node:path";
import type { ImageMetadata } from "astro";
import favicon from "../assets/favicon.svg";
import { shop } from "./shop.ts";

const pictures = import.meta.glob<ImageMetadata>("@content/*.{svg,png}", { eager: true, import: "default" });
const [, picture] = Object.entries(pictures).find(([path]) => `./${basename(path)}` === shop.logo) ?? [];

/** The shop's logo, if store.yaml has one. */
export const logo: ImageMetadata | undefined = picture;

const icons = import.meta.glob<string>("@content/static/favicon.ico", {
  eager: true,
  query: "?url",
  import: "default",
});

/** The address of content/static/favicon.ico, if the shop has one; hashed, so that a new one is seen at once. */
export const [ownIcon] = Object.values(icons);

/** Twice what a browser's tab, the header or a search result shows. */
const LARGEST_PX = 512;

/** The path of the shop's icon in its header, browser tabs and search results: a drawing, or a PNG. */
export async function iconPath(icon: ImageMetadata = logo ?? favicon): Promise<string> {
  if (icon.format === "svg") return icon.src;
  const { src } = await getImage({ src: icon, width: Math.min(LARGEST_PX, icon.width), format: "png" });
  return src;
}
