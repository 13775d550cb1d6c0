import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { svgProblem } from "../../../site/content-check/pictures.ts";
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
  ["a.png", png.subarray(0, png.length / 2), "is damaged. Save it again."],
  [
    "a.svg",
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'needs a size. Set width and height of its <svg>, or viewBox="0 0 800 600".',
  ],
  [
    "a.svg",
    "no drawing",
    "isn't a well-formed SVG (text data outside of root node) in line 1. Save it as “plain SVG”, without scripts and links.",
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
  expect(await problemsOf(name, content)).toEqual([]);
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
    '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
  const inside =
    '<style>a{fill:url(#a)}</style><use xlink:href="#a"/><image href="data:image/png;base64,AA=="/><rect fill="url(#a)" style="font:1px url( \'#a\' )"/>';
  expect(svgProblem(`${head}\n${svg(inside)}`)).toBeUndefined();
});
