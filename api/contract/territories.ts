/**
 * A part of a country for which its postcode decides: no VAT of the country is charged there, another rate is, or it has
 * a country code of its own. A zone's country doesn't include what is `outside` until the zone names it; `inside` is
 * delivered to like the rest of the country, unless a zone names it.
 */
export interface Territory {
  /** As store.yaml names it: ISO 3166-1 or else -2; our own where ISO has none, with the place in capitals. */
  code: string;
  /** Other codes of the same place. */
  also?: readonly string[];
  /** The country whose postcodes it has, by ISO 3166-1. */
  country: string;
  /** What its postcodes begin with; of several beginnings that fit, the longest counts. */
  postcodes: readonly string[];
  /** Outside the country's VAT area, or inside. */
  area: "outside" | "inside";
  /** The standard rate there, if it isn't the country's. */
  rate?: string;
  /** The other country in whose VAT area it is. */
  taxedWith?: string;
}

/** Northern Ireland: in the EU's VAT area for goods, in the United Kingdom's for a shop that is there. */
export const NORTHERN_IRELAND = "XI";

/** The VAT area of the EU for goods: its member states by ISO 3166, and Northern Ireland. */
export const EU_VAT_AREA: ReadonlySet<string> = new Set([
  ..."AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
  NORTHERN_IRELAND,
]);

/**
 * The VAT areas of the EU, the United Kingdom, Switzerland and Norway; the EU's by Directive 2006/112/EC (Art. 6 and 7).
 * The postcodes are the postal operators'. 23030 and 22060, which other tables have, are mainland Italy's too.
 */
export const TERRITORIES: readonly Territory[] = [
  outside("ES", "ES-CN", ["35", "38"]), // Art. 6(1)(b): Canary Islands
  outside("ES", "ES-CE", ["51"]), // Art. 6(2)(c): Ceuta
  outside("ES", "ES-ML", ["52"]), // Art. 6(2)(d): Melilla
  outside("FI", "AX", ["22"], ["FI-01"]), // Art. 6(1)(d): Åland
  outside("DE", "DE-HELGOLAND", ["27498"]), // Art. 6(2)(a)
  // Art. 6(2)(b); Switzerland's by the treaty of 1964 and Art. 3(a) MWSTG, as its Swiss postcode, 8238, says
  { ...outside("DE", "DE-BUESINGEN", ["78266"]), taxedWith: "CH" },
  outside("IT", "IT-LIVIGNO", ["23041"]), // Art. 6(2)(e)
  outside("IT", "IT-CAMPIONE", ["22061"]), // Art. 6(1)(e), by Directive (EU) 2019/475
  outside("IT", "SM", ["4789"]), // San Marino: another state with Italian postcodes (Poste Italiane)
  outside("IT", "VA", ["00120"]), // the Vatican: the same
  outside("GR", "GR-69", ["63086", "63087"]), // Art. 6(1)(a): Mount Athos, Karyes and Dafni
  // Art. 6(1)(c) and 355(1) TFEU: overseas departments and Saint-Martin; the others aren't in the EU (355(2) TFEU).
  outside("FR", "GP", ["971"], ["FR-971"]),
  outside("FR", "MQ", ["972"], ["FR-972"]),
  outside("FR", "GF", ["973"], ["FR-973"]),
  outside("FR", "RE", ["974"], ["FR-974"]),
  outside("FR", "PM", ["975"], ["FR-PM"]),
  outside("FR", "YT", ["976"], ["FR-976"]),
  outside("FR", "BL", ["97133", "977"], ["FR-BL"]), // INSEE's 977 and 978 aren't postcodes, but people write them
  outside("FR", "MF", ["97150", "978"], ["FR-MF"]),
  outside("FR", "TF", ["984"], ["FR-TF"]),
  outside("FR", "WF", ["986"], ["FR-WF"]),
  outside("FR", "PF", ["987"], ["FR-PF"]),
  outside("FR", "NC", ["988"], ["FR-NC"]),
  inside("FR", "MC", ["980"]), // Art. 7(1): Monaco is France
  outside("DK", "GL", ["39"]), // Art. 204 TFEU: Greenland left; its postcodes are Denmark's
  inside("PT", "PT-30", ["90", "91", "92", "93", "94"], "0.22"), // Art. 18(3) CIVA: Madeira, with Porto Santo (9400)
  inside("PT", "PT-20", ["95", "96", "97", "98", "99"], "0.16"), // Art. 18(3) CIVA: Azores
  inside("AT", "AT-JUNGHOLZ", ["6691"], "0.19"), // § 10(4) UStG 1994
  inside("AT", "AT-MITTELBERG", ["6991", "6992", "6993"], "0.19"), // the same
  { ...inside("GB", NORTHERN_IRELAND, ["BT"]), also: ["GB-NIR"] }, // Protocol on Ireland/Northern Ireland, Art. 8
  inside("GB", "IM", ["IM"]), // Art. 7(1), and the agreement of 1979: the Isle of Man is the United Kingdom
  outside("GB", "JE", ["JE"]), // VATA 1994 s. 96(1): the Channel Islands aren't
  outside("GB", "GG", ["GY"]),
  outside("GB", "GI", ["GX"]), // Gibraltar is in no VAT area
  inside("CH", "LI", ["9485", "9486", "9487", "9488", "9489", "949"]), // the treaty of 1994: Liechtenstein is Switzerland
  outside("CH", "CH-SAMNAUN", ["7562", "7563"]), // Art. 4(1) MWSTG: not for goods
  outside("NO", "SJ", ["917", "8099"]), // § 1-2 merverdiavgiftsloven: Svalbard, Jan Mayen
];

function outside(country: string, code: string, postcodes: string[], also: string[] = []): Territory {
  return { code, also, country, postcodes, area: "outside" };
}

function inside(country: string, code: string, postcodes: string[], rate?: string): Territory {
  return { code, country, postcodes, area: "inside", ...(rate !== undefined && { rate }) };
}

/** What the postcodes of a country look like, where they decide. */
export type PostcodeForm = "four_digits" | "five_digits" | "british" | "portuguese";

const FORMS: Readonly<Record<PostcodeForm, RegExp>> = {
  four_digits: /^\d{4}$/,
  five_digits: /^\d{5}$/,
  // BS 7666: at its end always a digit and two letters.
  british: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
  portuguese: /^\d{4}(\d{3})?$/,
};

interface Postcodes {
  form: PostcodeForm;
  /** The country's own letters that people write before them. */
  letters: RegExp;
  divided?: [RegExp, string];
  /** Beginnings that only territories have, so that one that no territory has is a mistake. */
  notMainland?: RegExp;
}

/** The countries of TERRITORIES. */
const COUNTRIES: Readonly<Record<string, Postcodes>> = {
  AT: { form: "four_digits", letters: /^(A|AT|AUT)(?=\d)/ },
  CH: { form: "four_digits", letters: /^(CH|CHE|FL|LI|LIE)(?=\d)/ },
  DE: { form: "five_digits", letters: /^(D|DE|DEU)(?=\d)/ },
  DK: { form: "four_digits", letters: /^(DK|DNK|GL|GRL)(?=\d)/ },
  ES: { form: "five_digits", letters: /^(E|ES|ESP)(?=\d)/ },
  FI: { form: "five_digits", letters: /^(FI|FIN|SF|AX|ALA)(?=\d)/ },
  // La Poste: 97 and 98 are the overseas and Monaco.
  FR: { form: "five_digits", letters: /^(F|FR|FRA|MC|MCO)(?=\d)/, notMainland: /^9[78]/ },
  GB: { form: "british", letters: /^(GB|UK)(?=[A-Z])/, divided: [/(?=...$)/, " "] },
  GR: { form: "five_digits", letters: /^(GR|GRC|EL)(?=\d)/, divided: [/(?=..$)/, " "] },
  IT: { form: "five_digits", letters: /^(I|IT|ITA|RSM|SM|SMR|V|VA|SCV)(?=\d)/ },
  NO: { form: "four_digits", letters: /^(N|NO|NOR|SJ)(?=\d)/ },
  PT: { form: "portuguese", letters: /^(P|PT|PRT)(?=\d)/, divided: [/(?<=^....)(?=...$)/, "-"] },
};

const byCode = new Map(
  TERRITORIES.flatMap((territory) => [territory.code, ...(territory.also ?? [])].map((code) => [code, territory])),
);

/** The territory with a code, by any of its codes; undefined for a country. */
export const territoryOf = (code: string): Territory | undefined => byCode.get(code);

/** All codes of a place, the one that it has here first. */
export function placeCodes(code: string): string[] {
  const territory = territoryOf(code);
  return territory ? [territory.code, ...(territory.also ?? [])] : [code];
}

/** The one code that a place has here: `AX` for `FI-01`; a country's own. */
export const placeCode = (code: string): string => territoryOf(code)?.code ?? code;

/** The country in whose VAT area a place is; the place itself if it is in no country's, and for Northern Ireland. */
export function vatArea(place: string): string {
  const territory = territoryOf(place);
  if (territory?.taxedWith !== undefined) return territory.taxedWith;
  return territory?.area === "inside" && territory.code !== NORTHERN_IRELAND ? territory.country : placeCode(place);
}

/**
 * The VAT area of a place as a shop sees it that is taxed at `home`: to one in the United Kingdom's, Northern Ireland is
 * at home, though it is in the EU's for others.
 */
export const vatAreaFrom = (home: string, place: string): string =>
  placeCode(place) === NORTHERN_IRELAND && vatArea(home) === "GB" ? "GB" : vatArea(place);

/** The country that an address in a place is written with: `ES` for `ES-CN`, `GP` for `GP`. */
export const addressCountry = (code: string): string => {
  const territory = territoryOf(code);
  if (territory === undefined) return code;
  return territory.code.length === 2 && territory.code !== NORTHERN_IRELAND ? territory.code : territory.country;
};

/** The form of a country's postcodes where they decide; undefined where goods never go by postcode. */
export const postcodeForm = (country: string): PostcodeForm | undefined => COUNTRIES[postalCountry(country)]?.form;

/**
 * A postcode as its country writes it, where postcodes decide: `.bt1 1aa` of GB is `BT1 1AA`, `D-27498` of DE is `27498`.
 * Undefined if its form isn't the country's, or the country's postcodes decide nothing.
 */
export function readPostcode(country: string, text: string): string | undefined {
  const [at, sign] = COUNTRIES[postalCountry(country)]?.divided ?? [/$^/, ""];
  return bareCode(country, text)?.replace(at, sign);
}

/**
 * The place of an address, which decides delivery and tax: a territory's code, or else the country's. Without a
 * postcode it is `country`, which may also be a territory's code then. Undefined if the postcode hasn't the form by
 * which the country's postcodes decide, is none that the country has, or is of another place than the country that is
 * written.
 */
export function placeOf(country: string, postcode: string | null): string | undefined {
  if (postcode === null || postcodeForm(country) === undefined) return placeCode(country);
  const code = bareCode(country, postcode);
  if (code === undefined) return undefined;
  const own = territoryOf(country);
  const found = territoryAt(postalCountry(country), code);
  if (own && own !== found) return undefined;
  if (found === undefined && COUNTRIES[country]?.notMainland?.test(code)) return undefined;
  return found?.code ?? country;
}

/** Letters and digits in capitals, without the country's own letters before them; undefined without the country's form. */
function bareCode(country: string, text: string): string | undefined {
  const known = COUNTRIES[postalCountry(country)];
  if (known === undefined) return undefined;
  // NFKC makes full-width letters plain ones; letters of other scripts stay, and fit no form.
  const code = text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(known.letters, "");
  return FORMS[known.form].test(code) ? code : undefined;
}

function territoryAt(country: string, postcode: string): Territory | undefined {
  const lengthIn = ({ postcodes }: Territory) =>
    Math.max(0, ...postcodes.filter((each) => postcode.startsWith(each)).map(({ length }) => length));
  return TERRITORIES.filter((each) => each.country === country && lengthIn(each) > 0).toSorted(
    (a, b) => lengthIn(b) - lengthIn(a),
  )[0];
}

const postalCountry = (country: string) => territoryOf(country)?.country ?? country;

/** Whether a list of countries and territories names a place, by any of its codes. */
export const namesPlace = (codes: readonly string[], place: string): boolean =>
  placeCodes(place).some((code) => codes.includes(code));

/**
 * The zone whose price is charged for a place: one that names it, or its country's if it is inside; undefined: not
 * delivered to.
 */
export function findZone<Zone extends { countries: readonly string[] }>(
  zones: readonly Zone[],
  place: string,
): Zone | undefined {
  const territory = territoryOf(place);
  const named = zones.find(({ countries }) => namesPlace(countries, place));
  if (named || territory?.area !== "inside") return named;
  return zones.find(({ countries }) => namesPlace(countries, territory.country));
}

type Zones = readonly { countries: readonly string[] }[];

/** The territories of a country of delivery that no zone reaches. */
export const unservedParts = (zones: Zones, country: string): string[] =>
  findZone(zones, country) === undefined
    ? []
    : TERRITORIES.filter((each) => each.country === country && findZone(zones, each.code) === undefined).map(
        ({ code }) => code,
      );

/** The territories whose addresses are written with a country that no zone reaches itself; none if one does. */
export const servedParts = (zones: Zones, country: string): string[] =>
  findZone(zones, country) === undefined
    ? TERRITORIES.map(({ code }) => code).filter((code) => addressCountry(code) === country && findZone(zones, code))
    : [];
