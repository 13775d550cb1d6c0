import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  addressCountry,
  EU_VAT_AREA,
  findZone,
  placeOf,
  readPostcode,
  servedParts,
  TERRITORIES,
  unservedParts,
} from "../../../api/contract/territories.ts";
import { wordsIn } from "../../../site/words/words-in.ts";

test.each([
  ["ES", "34999 35000 35999 36000", "ES ES-CN ES-CN ES"],
  ["ES", "37999 38000 38999 39000", "ES ES-CN ES-CN ES"],
  ["ES", "50999 51000 51999 52000 52999 53000", "ES ES-CE ES-CE ES-ML ES-ML ES"],
  ["FI", "21999 22000 22999 23000", "FI AX AX FI"],
  ["DE", "27497 27498 27499", "DE DE-HELGOLAND DE"],
  ["DE", "78265 78266 78267", "DE DE-BUESINGEN DE"],
  ["DE", "87491 87567", "DE DE"],
  ["IT", "23030 23040 23041 23042", "IT IT IT-LIVIGNO IT"],
  ["IT", "22060 22061 22062", "IT IT-CAMPIONE IT"],
  ["IT", "47889 47890 47899 47900", "IT SM SM IT"],
  ["IT", "00119 00120 00121", "IT VA IT"],
  ["GR", "63085 63086 63087 63088", "GR GR-69 GR-69 GR"],
  ["FR", "96999 97100 97132 97133 97134 97149 97150 97151 97199", "FR GP GP BL GP GP MF GP GP"],
  ["FR", "97200 97299 97300 97400 97499 97500 97600 97699", "MQ MQ GF RE RE PM YT YT"],
  ["FR", "97700 97800 98000 98001 98099 99000", "BL MF MC MC MC FR"],
  ["FR", "98400 98499 98600 98699 98700 98799 98800 98899", "TF TF WF WF PF PF NC NC"],
  ["DK", "3899 3900 3999 4000", "DK GL GL DK"],
  ["PT", "8999 9000 9000-001 9399 9400 9499 9500 9999-999", "PT PT-30 PT-30 PT-30 PT-30 PT-30 PT-20 PT-20"],
  ["AT", "6690 6691 6692", "AT AT-JUNGHOLZ AT"],
  ["AT", "6990 6991 6993 6994", "AT AT-MITTELBERG AT-MITTELBERG AT"],
  ["GB", "BS11AA BT11AA BT947AA BU11AA B11AA", "GB XI XI GB GB"],
  ["GB", "IG11AA IM11AA IP11AA", "GB IM GB"],
  ["GB", "JE23AB GY11AA GX111AA GU11AA", "JE GG GI GB"],
  ["CH", "9484 9485 9489 9490 9498 9500 8238 6911", "CH LI LI LI LI CH CH CH"],
  ["CH", "7561 7562 7563 7564", "CH CH-SAMNAUN CH-SAMNAUN CH"],
  ["NO", "9169 9170 9179 9180 8098 8099 8100", "NO SJ SJ NO NO SJ NO"],
])("at the borders of its territories, %s has %s in %s", (country, postcodes, places) => {
  expect(
    postcodes
      .split(" ")
      .map((postcode) => placeOf(country, postcode))
      .join(" "),
  ).toBe(places);
});

test.each([
  [
    "GB",
    [".BT1 1AA", "(BT1 1AA)", "bt11aa", "B T 1 1 A A", "ＢＴ１ １ＡＡ", "BT1-1AA", "GB BT1 1AA", "BT\u200b1\u00a01AA"],
    "XI",
  ],
  ["ES", ["E-35001", "es 35001", "ES-35001", "35 001", "35.001", "３５００１"], "ES-CN"],
  ["FI", ["FI-22100", "AX-22100", "ax 22100", "22 100"], "AX"],
  ["DE", ["D-27498", "d 27498", "DE-27498", "27 498"], "DE-HELGOLAND"],
  ["IT", ["I-23041", "it23041"], "IT-LIVIGNO"],
  ["GR", ["GR 63086", "GR-630 86", "el63086", "630 86"], "GR-69"],
  ["FR", ["F-97133", "fr 97133", "97 133"], "BL"],
  ["PT", ["P-9000-001", "pt9000001", "9000 001"], "PT-30"],
  ["AT", ["A-6691", "at 6691"], "AT-JUNGHOLZ"],
  ["CH", ["FL-9490", "CH-9490"], "LI"],
])("of %s, %j are all the same place", (country, postcodes, place) => {
  expect(postcodes.map((postcode) => placeOf(country, postcode))).toEqual(postcodes.map(() => place));
});

test.each([
  [
    "GB",
    [
      "ВT1 1AA",
      "BТ1 1AA",
      "BT1",
      "BT",
      "T1",
      "1AA",
      "8T1 1AA",
      "BT1 1A",
      "BT1 1AAA",
      "BT1 AA1",
      "",
      "XBT1 1AA",
      "B𝖳1 1A",
    ],
  ],
  ["ES", ["3500", "350011", "O5001", "٣٥٠٠١", "FR-35001", "X35001", "35001 Las Palmas"]],
  ["DE", ["CH-8238", "2749", "A27498", "27498a"]],
  ["PT", ["900", "9000-00", "9000-0011"]],
])("of %s, %j have not the form that decides, so they are no place", (country, postcodes) => {
  expect(postcodes.map((postcode) => [placeOf(country, postcode), readPostcode(country, postcode)])).toEqual(
    postcodes.map(() => [undefined, undefined]),
  );
});

test("what begins like an overseas postcode of France and is none is no place of France", () => {
  const unknown = "97000 97900 97999 98100 98399 98500 98599 98900 98999".split(" ");
  expect(unknown.filter((postcode) => placeOf("FR", postcode) !== undefined)).toEqual([]);
  expect(unknown.filter((postcode) => readPostcode("FR", postcode) === undefined)).toEqual([]);
});

test("where no postcode decides, none is read, and a place without a postcode is the country or territory that was named", () => {
  expect([placeOf("NL", "whatever"), placeOf("US", "00601"), placeOf("HK", null)]).toEqual(["NL", "US", "HK"]);
  expect(readPostcode("NL", "1012 AB")).toBeUndefined();
  expect([placeOf("GB", null), placeOf("ES-CN", null), placeOf("FI-01", null), placeOf("GB-NIR", null)]).toEqual([
    ...["GB", "ES-CN", "AX", "XI"],
  ]);
});

test("a territory with a country code of its own takes only its own postcodes: Réunion isn't in Paris", () => {
  expect([placeOf("RE", "97400"), placeOf("RE", "75001"), placeOf("RE", "97200")]).toEqual([
    "RE",
    undefined,
    undefined,
  ]);
  expect([placeOf("JE", "JE2 3AB"), placeOf("JE", "SW1A 1AA"), placeOf("IM", "im1 1aa")]).toEqual([
    "JE",
    undefined,
    "IM",
  ]);
  expect([placeOf("AX", "22100"), placeOf("AX", "00100"), placeOf("MC", "06000")]).toEqual([
    "AX",
    undefined,
    undefined,
  ]);
  expect([placeOf("MF", "97150"), placeOf("MF", "97133"), placeOf("SM", "47890")]).toEqual(["MF", undefined, "SM"]);
});

test("a postcode is written as its country writes it", () => {
  const written = [
    readPostcode("GB", ".bt11aa"),
    readPostcode("GB", "sw1a1aa"),
    readPostcode("GR", "GR-10557"),
    readPostcode("PT", "1000205"),
    readPostcode("PT", "1000"),
    readPostcode("DE", "D-27498"),
    readPostcode("AX", "AX-22100"),
  ];
  expect(written).toEqual(["BT1 1AA", "SW1A 1AA", "105 57", "1000-205", "1000", "27498", "22100"]);
});

test("a zone's country doesn't include what is outside its VAT area until a zone names it", () => {
  const mainland = { countries: ["ES", "PT", "GB"] };
  const islands = { countries: ["ES-CN", "FI-01", "PT-20"] };
  const zones = [mainland, islands];
  const reached = (zone: object | undefined, ...places: string[]) =>
    places.filter((place) => findZone(zones, place) === zone);
  const places = ["ES", "ES-CN", "ES-CE", "PT-30", "PT-20", "XI", "IM", "JE", "AX", "FI"];
  expect(reached(mainland, ...places)).toEqual(["ES", "PT-30", "XI", "IM"]);
  expect(reached(islands, ...places)).toEqual(["ES-CN", "PT-20", "AX"]);
  expect(reached(undefined, ...places)).toEqual(["ES-CE", "JE", "FI"]);
  expect(unservedParts(zones, "ES")).toEqual(["ES-CE", "ES-ML"]);
  expect(unservedParts(zones, "GB")).toEqual(["JE", "GG", "GI"]);
  expect(unservedParts(zones, "PT")).toEqual([]);
  expect(unservedParts(zones, "FI")).toEqual([]);
  expect(["ES", "PT", "AX"].flatMap((country) => servedParts(zones, country))).toEqual([]);
  const parts = [{ countries: ["ES-CN", "PT-20", "XI", "RE"] }, { countries: ["PT-30"] }];
  expect(["ES", "PT", "GB", "RE", "FR"].map((country) => servedParts(parts, country))).toEqual([
    ...[["ES-CN"], ["PT-30", "PT-20"], ["XI"], [], []],
  ]);
});

test("the EU's VAT area has its 27 members and Northern Ireland", () => {
  expect([EU_VAT_AREA.size, EU_VAT_AREA.has("GR"), EU_VAT_AREA.has("XI"), EU_VAT_AREA.has("GB")]).toEqual([
    ...[28, true, true, false],
  ]);
});

test("an address in a territory names its own country where there is one, and otherwise the one around it", () => {
  expect(["GP", "FI-01", "ES-CN", "XI", "PT-20", "NL"].map(addressCountry)).toEqual([
    "GP",
    "AX",
    "ES",
    "GB",
    "PT",
    "NL",
  ]);
});

test("every territory has a name in both languages, Intl's or the shop's own, and its row in content/README.md", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../content/README.md"), "utf8");
  for (const { code, also = [], country, area } of TERRITORIES) {
    for (const locale of ["en-GB", "de-DE"]) {
      const own: Readonly<Record<string, string>> = wordsIn(locale).private_pages.places;
      const regions = new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
      expect([code, own[code] ?? regions.of(code)]).toEqual([code, expect.stringMatching(/^\p{Lu}.*\p{Ll}/u)]);
    }
    const [, outside = "", inside = ""] = new RegExp(`^\\| ${country} \\|(.*)\\|(.*)\\|$`, "m").exec(guide) ?? [];
    const written = area === "outside" ? outside : inside;
    const isWritten = [code, ...also].some((each) => written.includes(`\`${each}\``));
    expect([code, isWritten]).toEqual([code, true]);
  }
});

test("no two territories have the same code or beginning of postcodes", () => {
  const codes = TERRITORIES.flatMap(({ code, also = [] }) => [code, ...also]);
  const beginnings = TERRITORIES.flatMap(({ country, postcodes }) => postcodes.map((each) => `${country} ${each}`));
  for (const all of [codes, beginnings]) expect(new Set(all).size).toBe(all.length);
});
