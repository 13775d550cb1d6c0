import type { Plot } from "../plot.ts";
import { median } from "../row.ts";
import { type Builder, type Measured, type Quantity, usagesOf } from "./measured.ts";

const LINES: Readonly<Partial<Record<Builder, string>>> = {
  html: "HTML alone",
  faces: "Both faces",
  hugo: "Hugo",
  eleventy: "Eleventy",
};

/** How time and memory grow with the number of products. */
export const drawGrowth = (measured: Measured): Plot[] => [
  draw(measured, "seconds", { name: "build-time", title: "Building the site: time", yLabel: "s" }),
  draw(measured, "peakMb", { name: "build-memory", title: "Building the site: peak memory", yLabel: "MB" }),
];

function draw(measured: Measured, quantity: Quantity, names: Pick<Plot, "name" | "title" | "yLabel">): Plot {
  const lines = Object.entries(LINES).map(([builder, name]) => ({
    name,
    points: measured.sizes.map((products) => ({
      x: products,
      y: median(usagesOf(measured, builder as Builder, products).map((usage) => usage[quantity])),
    })),
  }));
  return { ...names, xLabel: "products", logarithmicX: true, lines };
}
