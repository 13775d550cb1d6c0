import type { ImageMetadata } from "astro";
import favicon from "../assets/favicon.svg";
import { shop } from "./shop.ts";

const pictures = import.meta.glob<ImageMetadata>("../../../content/*.{svg,png}", { eager: true, import: "default" });

/** The shop's own sign, where store.yaml names one. */
export const logo: ImageMetadata | undefined =
  shop.logo === undefined ? undefined : pictures[shop.logo.replace("./", "../../../content/")];

/** What stands for the shop in a browser's tab and in search results. */
export const icon: ImageMetadata = logo ?? favicon;
