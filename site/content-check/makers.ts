import { posix } from "node:path";
import { isCountry } from "../../api/contract/countries.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import { EU_VAT_AREA, placeCode, vatArea } from "../../api/contract/territories.ts";
import { slugProblem } from "../content-schema/fields.ts";
import { makerSchema } from "../content-schema/maker.ts";
import { shippingPlaces } from "../content-schema/shipping.ts";
import type { Shop } from "../content-schema/shop.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { factOf, type KnownPage, readTextFile } from "./content-files.ts";
import { findHtmlInFields, findSchemaProblems, findUnseen } from "./field-problems.ts";
import { locate, parsePage } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

const FOLDER = "content/makers/";

/**
 * Checks the makers, and that products name only those; `pages` are the products with others. Doubts, of a maker that no product
 * names, and of one outside the EU whose goods are sold there without anybody who answers for them.
 */
export function findMakerProblems(
  root: string,
  paths: ReadonlySet<string>,
  pages: readonly KnownPage[],
  shop: Shop | undefined,
): Problem[] {
  const files = [...paths].filter((path) => path.startsWith(FOLDER));
  const slugs = files.filter((file) => file.endsWith(".md")).map((file) => posix.basename(file, ".md"));
  const named = pages.flatMap((known) => readMaker(known).map((maker) => ({ ...maker, file: known.page.file })));
  const used = new Set(named.map(({ slug }) => slug));
  const unknown = named.flatMap(({ file, line, slug }) =>
    // What can't be a file's name is its schema's matter.
    slugs.includes(slug) || !isSlug(slug)
      ? []
      : {
          file,
          line,
          message: `maker, ${slug} isn't a maker: ${FOLDER}${slug}.md is missing.${didYouMean(slug, slugs)}`,
        },
  );
  const isSoldInEu = shop?.shipping && shippingPlaces(shop.shipping).some(isInEu);
  return [...unknown, ...files.flatMap((file) => checkMaker(root, file, { used, isSoldInEu: isSoldInEu === true }))];
}

const isInEu = (place: string) => EU_VAT_AREA.has(vatArea(placeCode(place)));

const readMaker = factOf("maker", ({ page, yaml }): { slug: string; line: number }[] => {
  const slug = page.kind === "product" ? yaml?.document.getIn(["maker"]) : undefined;
  return yaml && typeof slug === "string" ? [{ slug, line: locate(yaml, ["maker"]).line }] : [];
});

function checkMaker(
  root: string,
  file: string,
  { used, isSoldInEu }: { used: ReadonlySet<string>; isSoldInEu: boolean },
): Problem[] {
  const problem = (message: string, line = 1): Problem => ({ file, line, message });
  const slug = posix.basename(file, ".md");
  if (posix.dirname(file) !== posix.normalize(FOLDER).slice(0, -1))
    return [problem("Put a maker's file directly in content/makers/.")];
  if (!file.endsWith(".md")) return [problem("A maker's file name must end in .md.")];
  if (!isSlug(slug)) return [problem(`The file's name ${slugProblem(slug)}`)];
  const { text, problems: unreadable } = readTextFile(root, file);
  const { yaml, body, bodyLine, problems: written } = parsePage(file, text);
  const country = yaml?.document.getIn(["country"]);
  const responsible = yaml?.document.getIn(["responsible"]);
  const place = yaml?.document.getIn(["responsible", "country"]);
  const lineOf = (...path: string[]) => (yaml ? locate(yaml, path).line : 1);
  return [
    ...unreadable,
    ...findUnseen(file, text, yaml, written),
    ...(yaml ? [...findSchemaProblems(file, yaml, makerSchema), ...findHtmlInFields(file, text, yaml)] : []),
    ...(body?.trim()
      ? [problem("A maker has no text: products show its fields alone. Delete what is below them.", bodyLine)]
      : []),
    ...(used.has(slug)
      ? []
      : [doubt(problem(`No product names this maker. Write \`maker: ${slug}\` into its products.`))]),
    ...(isSoldInEu && isOutsideEu(country) && responsible === undefined
      ? [doubt(problem(NOBODY_RESPONSIBLE, lineOf("country")))]
      : []),
    ...(isOutsideEu(place) ? [problem(notInEu(place), lineOf("responsible", "country"))] : []),
    ...(responsible !== undefined && isCountryInEu(country)
      ? [doubt(problem(NEEDLESS_RESPONSIBLE, lineOf("responsible")))]
      : []),
  ];
}

const doubt = (problem: Problem): Problem => ({ ...problem, isWarning: true });

const isOutsideEu = (country: unknown): country is string =>
  typeof country === "string" && isCountry(country) && !isInEu(country);
const isCountryInEu = (country: unknown) => typeof country === "string" && isCountry(country) && isInEu(country);

const notInEu = (country: string) =>
  `responsible, country ${country} isn't in the EU, and pages say “Responsible in the EU”. Write who answers for the maker's products there, with its country.`;

const NEEDLESS_RESPONSIBLE =
  "responsible is for a maker outside the EU, and this one answers for its products itself. Delete it, or check the maker's `country`.";

const NOBODY_RESPONSIBLE =
  "The maker isn't in the EU, where the shop sells. Add `responsible:` with who answers for its products there (Regulation (EU) 2023/988, Art. 16), if they fall under it.";
