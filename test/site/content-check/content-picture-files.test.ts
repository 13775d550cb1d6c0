import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { svgProblem } from "../../../site/content-check/pictures.ts";
import pictures from "../../../site/pictures/image-service.ts";
import { kestrel, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const folder = "products/barcode-scanners";
/** A grey JPEG of one pixel. */
const jpeg = Buffer.from(
  [
    "/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBD",
    "Af//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAED",
    "ASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA",
    "/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==",
  ].join(""),
  "base64",
);

/** A chunk of a PNG (ISO/IEC 15948, 5.3): length, type, data, checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG header with a given size; only the header is read. */
function pngOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", size)]);
}

const limit = "The limit is 6,000 on a side and 24 million in total.";

// 64 × 64 pixels of noise, one byte each, and a byte for the filter before each line.
const png = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
  chunk("IHDR", Buffer.from([0, 0, 0, 64, 0, 0, 0, 64, 8, 0, 0, 0, 0])),
  chunk(
    "IDAT",
    deflateSync(Buffer.from(Array.from({ length: 64 * 65 }, (_, index) => (index % 65 ? (index * 7919) % 251 : 0)))),
  ),
  chunk("IEND", Buffer.alloc(0)),
]);

/** The problems of a product whose picture is a file with this name and content. */
const problemsOf = (name: string, content: string | Uint8Array) =>
  problemsWith({
    [kestrel]: (validContent[kestrel] ?? "").replace("kestrel-c2.svg", name),
    [`${folder}/${name}`]: content,
  });

test.each([
  ["a.jpg", "no picture", "can't be read as a picture. Save it again as a JPG or PNG."],
  ["a.jpg", "", "can't be read as a picture. Save it again as a JPG or PNG."],
  ["a.png", jpeg, "is a jpg file, but its name ends in .png. Rename it."],
  ["a.svg", png, "is a png file, but its name ends in .svg. Rename it."],
  ["a.jpg", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60, 1)]), "is a bmp file. Save it as a JPG or PNG."],
  ["a.png", png.subarray(0, png.length / 2), "is damaged. Save it again."],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'needs a size. Set width and height of its <svg>, or viewBox="0 0 800 600".',
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" width="0.01" height="8"/>',
    'has a size that can\'t be read, or of less than a pixel. Write width="800" and height="600" in its <svg>, as plain numbers.',
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0, 0, 40,30"/>',
    'has a viewBox that can\'t be read. Write viewBox="0 0 40 30" in its <svg>.',
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 .4 .3"/>',
    'has a size that can\'t be read, or of less than a pixel. Write width="800" and height="600" in its <svg>, as plain numbers.',
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="1"/>',
    "has 6,000 × 1 pixels, so one side is more than 100 times the other. Put it on a larger ground, or cut it.",
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" style="width: 9000px; height: 7000px"/>',
    `has 9,000 × 7,000 pixels. ${limit} Delete width and height in its style.`,
  ],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" style="width: 0; height: 0"/>',
    "has a style that leaves it no size. Delete width and height in the style.",
  ],
  [
    "a.svg",
    "no drawing",
    "isn't a well-formed SVG (text data outside of root node) in line 1. Save it as “plain SVG”, without scripts and links.",
  ],
  [
    "a.svg",
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>é</text></svg>', "latin1"),
    "isn't in UTF-8. Save it as UTF-8.",
  ],
  [
    "a.svg",
    '<?xml version="1.0" encoding="ISO-8859-1"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    "says that it is in ISO-8859-1. Save it as UTF-8.",
  ],
  ["a.png", pngOf(12_000, 9_000), `has 12,000 × 9,000 pixels. ${limit} Save it smaller: 2,000 pixels wide is plenty.`],
  ["a.png", pngOf(6_000, 4_001), `has 6,000 × 4,001 pixels. ${limit} Save it smaller: 2,000 pixels wide is plenty.`],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12000 9000"/>',
    `has 12,000 × 9,000 pixels. ${limit} Set width and height of its <svg> in the same proportion, such as width="800" and height="600".`,
  ],
])("a file %s that can't be shown is reported where it is used", async (name, content, problem) => {
  expect(await problemsOf(name, content)).toEqual([`content/${kestrel}:6: The picture ./${name} ${problem}`]);
});

test.each([
  ["a.jpg", jpeg],
  ["a.jpeg", jpeg],
  ["a.png", png],
])("a photograph %s is valid", async (name, content) => {
  const problems = await problemsOf(name, content);
  expect(problems.filter((each) => !each.includes("product feed"))).toEqual([]);
});

const photograph = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#808080" } });

test("a product's picture too small for Google's feed is a doubt, measured as it is published", async () => {
  const doubt = (name: string, size: string, rest = "") =>
    `content/${kestrel}:6: The picture ./${name} is published with ${size} pixels. Google's product feed wants at least 500 × 500${rest}. Save it larger.`;
  const without = ", and is written without it";
  const saved = (width: number, height: number) => photograph(width, height).jpeg().toBuffer();
  expect(await problemsOf("a.jpg", await saved(499, 900))).toEqual([doubt("a.jpg", "499 × 900")]);
  expect(await problemsOf("a.jpg", await saved(2400, 900))).toEqual([doubt("a.jpg", "1,200 × 450")]);
  expect(await problemsOf("a.jpg", await saved(500, 500))).toEqual([]);
  expect(await problemsOf("a.svg", svg(""))).toEqual([]);
  expect(await problemsOf("a.svg", svg("").replace("0 0 4 3", "0 0 40 3"))).toEqual([
    doubt("a.svg", "1,200 × 90", without),
  ]);
  expect(await problemsOf("a.svg", svg("").replace("0 0 4 3", "0 0 3 40"))).toEqual([
    doubt("a.svg", "90 × 1,200", without),
  ]);
});

/** Astro's settings and logger, which our image service doesn't read. */
type Unread = Parameters<typeof pictures.transform> extends [unknown, unknown, ...infer Others] ? Others : never;
const unread = [{}, {}] as unknown as Unread;

test.each(['width="8" height="6"', 'width="2mm" height="1.5mm"', 'width="5em" height="3.75em"'])(
  "a small drawing with %s becomes as large a picture as any",
  async (size) => {
    const drawing = Buffer.from(svg('<rect width="4" height="3" fill="#f00"/>', size));
    const wanted = { src: "", width: 800, height: 600, format: "png" };
    const { data } = await pictures.transform(drawing, wanted, ...unread);
    expect(await sharp(data).metadata()).toMatchObject({ format: "png", width: 800, height: 600 });
  },
);

test("a picture that moves, and a drawing with a photograph that names its camera, are doubts", async () => {
  const frames = await Promise.all(
    ["#ff0000", "#0000ff"].map((flat) =>
      photograph(600, 600).flatten({ background: flat }).tint(flat).png().toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  expect(await problemsOf("a.gif", moving)).toEqual([
    `content/${folder}/a.gif:1: This picture moves. The shop shows its first frame alone.`,
  ]);
  const named = await photograph(9, 9)
    .withExif({ IFD0: { Artist: "Ada" } })
    .withXmp("<x/>")
    .jpeg()
    .toBuffer();
  const base64 = named.toString("base64");
  const drawing = (file: Buffer) => svg(`<image href="data:image/jpeg;base64,${file.toString("base64")}"/>`);
  const spellings = [
    `jpeg;base64,${base64.replaceAll(/.{76}/g, "$&&#10;")}`, // as Inkscape writes it
    `JPG;name=a;BASE64,${base64.replaceAll("/", "%2F").replaceAll("+", "&#x2b;")}`,
    `jpeg,${[...named].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")}`,
  ];
  for (const spelling of spellings)
    expect([
      spelling.slice(0, 20),
      ...(await problemsOf("a.svg", svg(`<image href="data:image/${spelling}"/>`))),
    ]).toEqual([spelling.slice(0, 20), expect.stringContaining("a photograph with EXIF, XMP")]);
  expect(await problemsOf("a.svg", drawing(named))).toEqual([
    `content/${folder}/a.svg:1: This drawing contains a photograph with EXIF, XMP, which may name its author, camera and place, and is published as it is. Save the photograph without it, and put it into the drawing again.`,
  ]);
  expect(await problemsOf("a.svg", drawing(await photograph(9, 9).jpeg().toBuffer()))).toEqual([]);
});

/** An SVG with the given content, and attributes on its `<svg>`. */
const svg = (inside: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 4 3" ${attributes}>\n${inside}\n</svg>`;

test.each([
  [svg("<script>alert(1)</script>"), "contains <script> in line 2"],
  [svg('<a:script xmlns:a="http://www.w3.org/2000/svg"/>'), "contains <script> in line 2"],
  [svg("", 'onload="alert(1)"'), "has the attribute onload, which runs a script in line 1"],
  [svg("<foreignObject><p/></foreignObject>"), "contains <foreignObject>"],
  [svg('<img xmlns="http://www.w3.org/1999/xhtml" src="x"/>'), "contains <img>"],
  [svg('<image href="https://a.example/a.png"/>'), "refers to https://a.example/a.png"],
  [svg('<use xlink:href="other.svg#a"/>'), "refers to other.svg#a"],
  [svg('<a href="java&#10;script:alert(1)"/>'), "has a script in href"],
  [svg('<set attributeName="xlink:href" to="x"/>'), "animates xlink:href"],
  [svg('<rect fill="url(https://a.example/a#b)"/>'), "refers to other files in fill"],
  [svg("<style><g/>@import<!-- --> 'a.css'</style>"), "has a style that refers to other files"],
  [svg("<style>@import 'a.css'</style>"), "has a style that refers to other files"],
  [svg("<style><![CDATA[a{fill:u\\72l(a)}]]></style>"), "has a style that refers to other files"],
  [`<?xml-stylesheet href="a.css"?>${svg("")}`, "has a <?xml-stylesheet?>"],
  [`<!DOCTYPE svg [<!ENTITY a "b">]>${svg("")}`, "defines entities in its DOCTYPE"],
  ['<svg viewBox="0 0 4 3"/>', "doesn't start with <svg xmlns="],
  [svg("<rect>"), "isn't a well-formed SVG (unexpected close tag) in line 3"],
])("a drawing that contains %s is rejected", (text, problem) => {
  expect(svgProblem(text)).toContain(problem);
});

test("a drawing may refer to its own parts, contain pictures and styles, and come from a drawing program", () => {
  const head =
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  const inside =
    '<style>a{fill:url(#a)}</style><use xlink:href="#a"/><image href="data:image/png;base64,AA=="/><rect fill="url(#a)" style="font:1px url( \'#a\' )"/>';
  expect(svgProblem(`${head}\n${svg(inside)}`)).toBeUndefined();
});
