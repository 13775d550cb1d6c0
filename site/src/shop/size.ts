/** Lengths of three edges in mm: the first two as it lies or stands, the third upwards. */
export interface Size {
  width: number;
  depth: number;
  height: number;
}

/** What everybody has held: ISO 216 and ISO/IEC 7810, in mm. */
const references = {
  card: { width: 85.6, height: 53.98 },
  sheet: { width: 210, height: 297 },
};

/** Products whose longest edge is shorter are compared with a bank card, others with a sheet of A4. */
const shortestBesideSheetMm = 150;

const millimetres: Readonly<Record<string, number>> = { mm: 1, cm: 10 };

/** The first specification that gives three edges, such as `172 × 98 × 68 mm`; undefined if none does. */
export function readSize(specifications: readonly { value: string }[]): Size | undefined {
  for (const { value } of specifications) {
    const [, width, depth, height, unit = ""] =
      /^([\d.,]+) ?[×x] ?([\d.,]+) ?[×x] ?([\d.,]+) ?(mm|cm)$/.exec(value) ?? [];
    const [w = 0, d = 0, h = 0] = [width, depth, height].map(
      (edge = "") => Number(edge.replace(",", ".")) * (millimetres[unit] ?? 0),
    );
    if (w > 0 && d > 0 && h > 0) return { width: w, depth: d, height: h };
  }
  return undefined;
}

/** What a size is compared with, and how many of them its largest side covers. */
export function compareSize({ width, depth, height }: Size): { reference: keyof typeof references; count: number } {
  const [longest = 0, second = 0] = [width, depth, height].sort((a, b) => b - a);
  const reference = longest < shortestBesideSheetMm ? "card" : "sheet";
  const { width: across, height: up } = references[reference];
  return { reference, count: Number(((longest * second) / (across * up)).toPrecision(2)) };
}

/**
 * A box of this size beside its reference, to scale: the view box and the path of an SVG in mm. The depth is drawn at 45° and half
 * as long, as in a cabinet projection.
 */
export function drawSize(size: Size): { viewBox: string; path: string } {
  const { reference } = compareSize(size);
  const sheet = references[reference];
  const [width, height] = [Math.round(size.width), Math.round(size.height)];
  const slant = Math.round((size.depth / 2) * Math.SQRT1_2);
  const [across, up] = [Math.round(sheet.width), Math.round(sheet.height)];
  const gap = Math.round(across / 8);
  const total = Math.max(height + slant, up);
  const box = `M0 ${total - height}h${width}v${height}H0zl${slant}-${slant}h${width}v${height}l-${slant} ${slant}M${width} ${total - height}l${slant}-${slant}`;
  const flat = `M${width + slant + gap} ${total - up}h${across}v${up}h-${across}z`;
  return { viewBox: `-1 -1 ${width + slant + gap + across + 2} ${total + 2}`, path: box + flat };
}
