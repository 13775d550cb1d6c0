import { basename } from "node:path";
import type { ImageMetadata } from "astro";
import favicon from "../assets/favicon.svg";
import { shop } from "./shop.ts";

const pictures = import.meta.glob<ImageMetadata>("@content/*.{svg,png}", { eager: true, import: "default" });
const [, picture] = Object.entries(pictures).find(([path]) => `./${basename(path)}` === shop.logo) ?? [];

/** The shop's logo, if store.yaml has one. */
export const logo: ImageMetadata | undefined = picture;

/** The shop's icon in browser tabs and search results. */
export const icon: ImageMetadata = logo ?? favicon;
