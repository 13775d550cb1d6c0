import { z } from "astro/zod";
import {
  EU_VAT_AREA,
  NORTHERN_IRELAND,
  namesPlace,
  placeCode,
  territoryOf,
  vatArea,
  vatAreaFrom,
} from "../../api/contract/territories.ts";
import { describeInput, line, quoted, strict, text } from "./fields.ts";
import { country, place } from "./shipping.ts";

/** A fraction as a string: "0.21" is 21 %. */
export const taxRate = text('NL: "0.21"').regex(/^0(\.\d{1,4})?$/, { error: notFraction });

/** The tax on goods by country or territory of delivery. */
export const tax = strict({
  /** What the tax is called beside a price. */
  name: line("name: VAT", 20).default("tax"),
  /** The country whose tax the prices include, and which goods are sent from. */
  home: country,
  /** The shop's own VAT number. */
  registration: line("registration: NL123456789B01", 20).optional(),
  rates: z.record(place, taxRate, {
    error: ({ input }) =>
      `${describeInput(input, "countries with rates")} Write \`NL: "0.21"\` below it, indented, for each country.`,
  }),
  /** Countries and territories of delivery that are exports, without tax. */
  export: z
    .array(place, { error: ({ input }) => `${describeInput(input, "a list")} Write \`export: [CH, GB]\`.` })
    .default([]),
  /** Rates of goods that are taxed otherwise, by a class that products name (`tax_class`), then as `rates`. */
  classes: z
    .record(
      text("reduced").regex(
        /^[a-z][a-z0-9_-]{0,63}$/,
        "isn't a name of a class. Use letters a to z, digits and hyphens: `reduced`.",
      ),
      z.record(place, taxRate, {
        error: ({ input }) =>
          `${describeInput(input, "countries with rates")} Write \`NL: "0.09"\` below it, indented.`,
      }),
      {
        error: ({ input }) =>
          `${describeInput(input, "classes with rates")} Write \`reduced: { NL: "0.09" }\` below it, indented.`,
      },
    )
    .default({}),
});

export type Tax = z.infer<typeof tax>;

/** The rate at home of goods of a class, null for the usual one: prices include or exclude that tax. */
export function homeRate({ home, rates, classes }: Tax, taxClass: string | null): string {
  const rate = (taxClass === null ? rates : classes[taxClass])?.[home];
  if (rate === undefined) throw new Error(`tax has no rate of ${home}`); // the check refuses it
  return rate;
}

/**
 * Finds countries that are taxed and exports at once, a home without a rate, exports within the EU of a shop that is
 * there, and places of delivery for which neither is written; Great Britain needs both GB and XI, unless it is home.
 * Territories outside a VAT area are exports without being named, and others have a rate in code or their country's. A class of
 * goods needs a rate wherever the usual rate is written.
 */
export function taxProblems(
  { home, rates, export: exports, classes }: Tax,
  deliveredTo: readonly string[],
): { path: (string | number)[]; message: string }[] {
  const isTaxed = (code: string) => namesPlace(Object.keys(rates), code);
  const isInEuWithHome = (code: string) => EU_VAT_AREA.has(vatArea(home)) && EU_VAT_AREA.has(vatArea(code));
  const inEu = exports.flatMap((code, index) => {
    const message = `${code} is in the EU's VAT area with ${home}, the shop's \`home\`, so goods for it are no exports. Write its rate in \`rates\` instead.`;
    return isInEuWithHome(code) && !isTaxed(code) ? [{ path: ["tax", "export", index], message }] : [];
  });
  const twice = exports.flatMap((code, index) =>
    isTaxed(code)
      ? [{ path: ["tax", "export", index], message: `${code} has a rate in \`rates\` too. Remove one of them.` }]
      : [],
  );
  const again = [
    ...namedAgain(Object.keys(rates), ["tax", "rates"]),
    ...Object.entries(classes).flatMap(([name, own]) => namedAgain(Object.keys(own), ["tax", "classes", name])),
  ];
  const isAtHome = (code: string) => vatAreaFrom(home, code) === vatArea(home);
  const places = deliveredTo.includes("GB") && !isAtHome("GB") ? [...deliveredTo, NORTHERN_IRELAND] : deliveredTo;
  const isKnown = (code: string) => isTaxed(code) || namesPlace(exports, code);
  const missing = places
    .filter((code) => !isKnown(code) && !isKnown(vatArea(code)) && !isAtHome(code))
    .filter((code) => territoryOf(code)?.area !== "outside" && territoryOf(code)?.rate === undefined);
  const untaxable = missing.filter((code) => !isInEuWithHome(code));
  const orExport = untaxable.length === missing.length ? "it" : untaxable.join(", ");
  const advice = untaxable.length > 0 ? `, or add ${orExport} to \`export\`` : "";
  const path = ["tax", "rates"];
  return [
    ...twice,
    ...inEu,
    ...again,
    ...(rates[home] === undefined
      ? [{ path, message: `lack ${home}, the shop's \`home\`. Write \`${home}: "0.21"\` with its rate.` }]
      : []),
    ...(missing.length > 0
      ? [
          {
            path,
            message: `lack ${missing.join(", ")}, where the shop delivers. Write the rate of each${advice}.${missing.includes(NORTHERN_IRELAND) ? " XI is Northern Ireland, which goods for GB may go to." : ""}`,
          },
        ]
      : []),
    ...Object.entries(classes).flatMap(([name, own]) => {
      const named = Object.keys(own);
      const lacking = Object.keys(rates).filter((code) => !namesPlace(named, code));
      const stray = named.filter((code) => !isTaxed(code));
      const path = ["tax", "classes", name];
      return [
        ...(lacking.length > 0
          ? [
              {
                path,
                message: `lacks ${lacking.join(", ")}, which ${lacking.length === 1 ? "has a rate" : "have rates"} in \`rates\`. Write the rate of these goods in each, the usual one where there is no other.`,
              },
            ]
          : []),
        ...stray.map((code) => ({
          path: [...path, code],
          message: `has no usual rate. Write one in \`rates\` too, or delete this line.`,
        })),
      ];
    }),
  ];
}

/** Places that a list of rates has under two codes. */
const namedAgain = (codes: readonly string[], at: string[]) =>
  codes.flatMap((code, index) =>
    namesPlace(codes.slice(0, index), code)
      ? [
          {
            path: [...at, code],
            message: `is ${placeCode(code)}, which has a rate already. Remove one of them.`,
          },
        ]
      : [],
  );

/** Computes the fraction from `0,21`, `21`, `21 %` or `21%`; `1.21` could mean 21 % or 1.21 %. */
function notFraction({ input }: { input: unknown }): string {
  const written = String(input);
  if (/^0,\d{1,4}$/.test(written)) return `${quoted(input)} has a comma. Write \`"${written.replace(",", ".")}"\`.`;
  const [, whole = "", decimals = "", sign] = /^(\d{1,2})(?:[.,](\d{1,2}))? ?(%?)$/.exec(written) ?? [];
  if (whole === "" || (Number(whole) < 2 && !sign))
    return `${quoted(input)} must be a fraction. Write 21 % as \`"0.21"\`.`;
  return `${quoted(input)} must be a fraction. Write \`"0.${whole.padStart(2, "0")}${decimals.replace(/0+$/, "")}"\`.`;
}
