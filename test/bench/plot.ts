/** One line of a plot. */
interface Line {
  name: string;
  points: { x: number; y: number }[];
}

export interface Plot {
  /** The file's name, without `.svg`. */
  name: string;
  title: string;
  xLabel: string;
  yLabel: string;
  /** Places values that grow tenfold at equal distances. */
  logarithmicX?: boolean;
  lines: Line[];
}

const width = 720;
const height = 400;
const left = 72;
const right = 168;
const top = 48;
const bottom = 56;
const colours = ["#0b5d66", "#b4491f", "#5b4b9a", "#3d7a34", "#8a6d00", "#7a2f5b"];

/** Draws a plot as a standalone SVG with a white background. */
export function drawPlot({ title, xLabel, yLabel, logarithmicX = false, lines }: Plot): string {
  const points = lines.flatMap((line) => line.points);
  const ticks = [...new Set(points.map(({ x }) => x))].sort((one, other) => one - other);
  const highest = niceCeiling(Math.max(...points.map(({ y }) => y), 0));
  const place = logarithmicX ? Math.log10 : (x: number) => x;
  const [first, last] = [place(ticks[0] ?? 0), place(ticks.at(-1) ?? 1)];
  const xOf = (x: number) => left + ((place(x) - first) / (last - first || 1)) * (width - left - right);
  const yOf = (y: number) => height - bottom - (y / highest) * (height - top - bottom);
  const steps = [0, 0.25, 0.5, 0.75, 1].map((part) => part * highest);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 24, title, 'font-size="15" font-weight="600"'),
    ...steps.flatMap((y) => [
      `<path d="M${left} ${round(yOf(y))}H${width - right}" stroke="#ddd"/>`,
      text(left - 8, yOf(y) + 4, y.toLocaleString("en-GB", { maximumSignificantDigits: 3 }), 'text-anchor="end"'),
    ]),
    ...ticks.map((x) => text(xOf(x), height - bottom + 20, x.toLocaleString("en-GB"), 'text-anchor="middle"')),
    text((left + width - right) / 2, height - 12, xLabel, 'text-anchor="middle"'),
    text(left, top - 10, yLabel, ""),
    ...lines.flatMap((line, index) => drawLine(line, index, xOf, yOf)),
    "</svg>\n",
  ].join("\n");
}

type Scale = (value: number) => number;

function drawLine({ name, points }: Line, index: number, xOf: Scale, yOf: Scale): string[] {
  const colour = colours[index % colours.length];
  const corners = points.map(({ x, y }) => `${round(xOf(x))} ${round(yOf(y))}`);
  const legend = top + 8 + index * 20;
  return [
    `<path d="M${corners.join("L")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...points.map(({ x, y }) => `<circle cx="${round(xOf(x))}" cy="${round(yOf(y))}" r="3" fill="${colour}"/>`),
    `<path d="M${width - right + 16} ${legend}h16" stroke="${colour}" stroke-width="3"/>`,
    text(width - right + 38, legend + 4, name, ""),
  ];
}

const text = (x: number, y: number, content: string, attributes: string) =>
  `<text x="${round(x)}" y="${round(y)}" fill="#222" ${attributes}>${escapeXml(content)}</text>`;

const round = (value: number) => Math.round(value * 10) / 10;

const escapeXml = (value: string) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The next of 1, 2, 2.5 and 5 times a power of ten, so that quarters of the axis are round numbers. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return (([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) || 1) * power;
}
