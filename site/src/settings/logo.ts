import type { ImageMetadata } from "astro";
import favicon from "../assets/favicon.svg";
import { shop } from "./shop.ts";

const pictures = import.meta.glob<ImageMetadata>("../../../content/*.{svg,png}", { eager: true, import: "default" });

/** The shop's logo, if store.yaml has one. */
export const logo: ImageMetadata | undefined =
  shop.logo === undefined ? undefined : pictures[shop.logo.replace("./", "../../../content/")];

/** The shop's icon in browser tabs and search results. */
export const icon: ImageMetadata = logo ?? favicon;
