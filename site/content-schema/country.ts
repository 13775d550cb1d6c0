import { COUNTRIES, isCountry } from "../../api/contract/countries.ts";
import { territoryOf } from "../../api/contract/territories.ts";
import { quoted, text } from "./fields.ts";

/** An ISO 3166-1 alpha-2 country code. `example` is what to write. */
export const countryAs = (example: string) =>
  text(example).refine(isCountry, {
    error: ({ input }) => {
      const written = String(input);
      if (territoryOf(written) !== undefined)
        return `${quoted(input)} is only a part of a country, which isn't supported here.`;
      const meant = meantCountry(written);
      const advice = meant ? `Did you mean \`${meant}\`?` : `Write its two-letter code, such as \`${example}\`.`;
      return `${quoted(input)} isn't a valid country. ${advice}`;
    },
  });

const names = new Intl.DisplayNames("en", { type: "region" });

/** The code of a country that is written otherwise: `gb`, `UK`, `Germany`. */
function meantCountry(written: string): string | undefined {
  const code = written.trim().toUpperCase();
  if (code === "EL") return "GR"; // As the EU's VAT numbers call Greece.
  // Intl resolves aliases and codes of former countries.
  const known = /^[A-Z]{2}$/.test(code) ? new Intl.Locale(`und-${code}`).region : undefined;
  if (known !== undefined && isCountry(known)) return known;
  return COUNTRIES.find((each) => names.of(each)?.toUpperCase() === code);
}
