import type { Plot } from "../plot.ts";
import { median, type Row } from "../table.ts";
import type { Usage } from "./usage.ts";

const QUANTITIES: Readonly<Record<Quantity, { label: string; unit: string }>> = {
  seconds: { label: "time", unit: "s" },
  cpuSeconds: { label: "processor time", unit: "s" },
  peakMb: { label: "peak memory", unit: "MB" },
};

const PEERS: Readonly<Partial<Record<Builder, string>>> = { hugo: "Hugo", eleventy: "Eleventy" };

/** The build part's rows. */
export function toRows(measured: Measured): Row[] {
  const largest = measured.sizes.at(-1) ?? 0;
  return [
    ...rowsOfFaces(measured, largest),
    ...measured.sizes.slice(1).flatMap((size) => rowsOfGrowth(measured, size)),
    ...rowsOfWhole(measured, largest),
    ...rowsOfChange(measured, largest),
    ...rowsOfPeers(measured, largest),
  ];
}

function rowsOfFaces(measured: Measured, size: number): Row[] {
  const what = `Both faces of ${countProducts(size)}`;
  const ours = usagesOf(measured, "faces", size);
  const theirs = usagesOf(measured, "html", size);
  const note =
    "Astro's build() with the shop's configuration less compression; HTML alone is without the Markdown face and llms-full.txt, too. All builds of this part: from nothing, no cache kept.";
  return [
    { ...compare(what, "seconds", ours, "HTML alone", theirs), bar: { atMost: 1.35 }, note },
    { ...compare(what, "cpuSeconds", ours, "HTML alone", theirs), bar: { atMost: 1.3 } },
    { ...compare(what, "peakMb", ours, "HTML alone", theirs), bar: { atMost: 1.1 } },
  ];
}

/** Compares a size with the smallest, both faces. The bar is for ten times as many products. */
function rowsOfGrowth(measured: Measured, size: number): Row[] {
  const smallest = measured.sizes[0] ?? 0;
  const ours = usagesOf(measured, "faces", size);
  const theirs = usagesOf(measured, "faces", smallest);
  const rows = compareAll(`${countProducts(size)}, both faces`, ours, countProducts(smallest), theirs);
  const [time, ...others] = rows;
  return size === 10 * smallest && time ? [{ ...time, bar: { atMost: 11 } }, ...others] : rows;
}

function rowsOfWhole(measured: Measured, size: number): Row[] {
  const all = usagesOf(measured, "all", size);
  const whole = `npm run build of ${countProducts(size)}`;
  const shareRow = (what: string, integration: string): Row => ({
    what: `${whole}: ${what}`,
    unit: "s",
    ours: { name: what, values: all.map(({ output }) => secondsOf(integration, output)) },
    theirs: { name: "all of it", values: all.map(({ seconds }) => seconds) },
  });
  const [time, ...others] = compareAll(whole, all, "both faces", usagesOf(measured, "faces", size));
  return [...(time ? [{ ...time, bar: { atMost: 1.6 } }] : []), ...others, shareRow("compression", "publish")];
}

/** An integration's own time from the build's output, `[name] … in 123 ms`. */
function secondsOf(integration: string, output: string): number {
  const milliseconds = new RegExp(`\\[${integration}\\].* in (\\d+) ms`).exec(output)?.[1];
  if (milliseconds === undefined) throw new Error(`The build's output has no time for ${integration}:\n\n${output}`);
  return Number(milliseconds) / 1000;
}

function rowsOfChange(measured: Measured, size: number): Row[] {
  const all = usagesOf(measured, "all", size);
  const price = usagesOf(measured, "price", size);
  const hugo = usagesOf(measured, "hugo", size);
  const of = countProducts(size);
  const againstHugo = (["price", "text"] as const).flatMap((builder): Row[] => {
    const [what, changed] = [`One ${builder} changed of ${of}`, usagesOf(measured, builder, size)];
    return (["seconds", "cpuSeconds"] as const).map((quantity) => ({
      ...compare(what, quantity, changed, "Hugo's whole build", hugo),
      bar: { atMost: 1 },
    }));
  });
  const againstFull = (["picture", "setting"] as const).map((builder) =>
    compare(`One ${builder} changed of ${of}`, "seconds", usagesOf(measured, builder, size), "full build", all),
  );
  return [
    {
      ...compare(`One price changed of ${of}`, "seconds", price, "full build", all),
      bar: { atMost: 0.6 },
      note: "npm run build with the caches of the build before it; the full build has none.",
    },
    compare(`One price changed of ${of}`, "cpuSeconds", price, "full build", all),
    ...againstHugo,
    ...againstFull,
    {
      what: `Save to page in npm run dev with ${of}, both faces`,
      unit: "s",
      ours: { name: "ours", values: [...measured.saves] },
      bar: { atMost: 2 },
    },
    {
      ...compare(`npm start with ${countProducts(size)}, no change`, "seconds", measured.starts, "full build", all),
      note: "The step that would build the site, in a process of its own; measured after the rounds.",
    },
  ];
}

/** Compares one build of a large shop with one of a small shop. */
export const rowsOfLarge = (large: number, ours: Usage, small: number, theirs: Usage): Row[] => {
  const [time, cpu, memory] = compareAll(`npm run build of ${countProducts(large)}`, [ours], countProducts(small), [
    theirs,
  ]);
  return time && cpu && memory ? [{ ...time, bar: { atMost: 5.5 } }, cpu, { ...memory, bar: { atMost: 2 } }] : [];
};

/** How many files of quick builds differ from those of a build from nothing. */
export const rowOfChanges = (different: number): Row => ({
  what: "Files that differ after 20 random changes of 10,000 products",
  unit: "files",
  ours: { name: "quick builds", values: [different] },
  bar: { atMost: 0 },
});

function rowsOfPeers(measured: Measured, size: number): Row[] {
  const what = `Both faces of ${countProducts(size)}`;
  const ours = usagesOf(measured, "faces", size);
  const rows = Object.entries(PEERS).flatMap(([builder, name]) =>
    compareAll(what, ours, name, usagesOf(measured, builder as Builder, size)),
  );
  const note =
    "Hugo is Debian's 0.111, Eleventy 3.1. Both build layout, products, category pages, home and sitemap, each face by a template. They lack the content check, JSON-LD, related products, guides, feeds, llms.txt and PNG twins.";
  return rows.map((row, index) => (index === 0 ? { ...row, note } : row));
}

/** All quantities of two builders, time first. */
const compareAll = (what: string, ours: readonly Usage[], name: string, theirs: readonly Usage[]): Row[] =>
  (["seconds", "cpuSeconds", "peakMb"] as const).map((quantity) => compare(what, quantity, ours, name, theirs));

/** One quantity of two builders, round by round. */
function compare(
  what: string,
  quantity: Quantity,
  ours: readonly Usage[],
  name: string,
  theirs: readonly Usage[],
): Row {
  const { label, unit } = QUANTITIES[quantity];
  const values = (usages: readonly Usage[]) => usages.map((usage) => usage[quantity]);
  return {
    what: `${what}, ${label}`,
    unit,
    ours: { name: "ours", values: values(ours) },
    theirs: { name, values: values(theirs) },
  };
}

/** HTML alone, both faces, `npm run build`, the same after one change, and the peers. */
export type Builder = "html" | "faces" | "all" | "price" | "text" | "picture" | "setting" | "hugo" | "eleventy";

export interface Measured {
  /** Numbers of products, ascending. */
  sizes: readonly number[];
  /** By `sideName`, in the order of the rounds. */
  usages: Readonly<Record<string, Usage[]>>;
  /** `npm start`'s build of the largest shop, with nothing changed. */
  starts: readonly Usage[];
  /** Seconds from a save to both faces of its page on the dev server, of the largest shop. */
  saves: readonly number[];
}

type Quantity = "seconds" | "cpuSeconds" | "peakMb";

export const sideName = (builder: Builder, products: number) => `${builder} ${products}`;

/** A builder's usages for a number of products, in the order of the rounds. */
const usagesOf = ({ usages }: Measured, builder: Builder, products: number): Usage[] =>
  usages[sideName(builder, products)] ?? [];

export const countProducts = (products: number) => `${products.toLocaleString("en-GB")} products`;

const LINES: Readonly<Partial<Record<Builder, string>>> = {
  html: "HTML alone",
  faces: "Both faces",
  hugo: "Hugo",
  eleventy: "Eleventy",
};

/** Plots of time and memory over the number of products. */
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
