import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { categoriesOf, counterFields } from "../content-schema/counter.ts";
import { date, daysLeft } from "../content-schema/fields.ts";
import { type Colours, colours, type Scheme, type Shop, shopSchema } from "../content-schema/shop.ts";
import { contrast, mix } from "../shop-look/contrast.ts";
import { deriveColours, readPalette } from "../shop-look/palette.ts";
import { securityTxtPath } from "../urls/paths.ts";
import { readOwnWords } from "../words/own-words.ts";
import { readTextFile } from "./content-files.ts";
import { fieldName, findHtmlInFields, findSchemaProblems, findUnfilled, findUnseen } from "./field-problems.ts";
import { findFontProblems } from "./fonts.ts";
import { locate, parseYaml, type Yaml } from "./front-matter.ts";
import { findOwnWordProblems } from "./own-words.ts";
import type { Problem } from "./problem.ts";
import { findOddTerms } from "./terms-of-delivery.ts";
import { findLanguageProblems } from "./words.ts";

/** What other checks need from store.yaml; undefined where it is wrong or missing. */
interface StoreFile {
  currency: string | undefined;
  baseUrl: string | undefined;
  /** `en` where it is wrong or missing. */
  locale: string;
  /** The pictures that it refers to. */
  pictures: { file: string; line: number; source: string }[];
  /** The categories that its counter names. */
  categories: { file: string; line: number; slug: string }[];
  /** The classes of its tax. */
  taxClasses: { file: string; line: number; name: string }[];
  /** The names of its fields. */
  fields: ReadonlySet<string> | undefined;
  /** All of it; undefined while any field is wrong. */
  shop: Shop | undefined;
  problems: Problem[];
}

/** Reads and checks content/store.yaml. */
export function checkStoreFile(root: string): StoreFile {
  const file = "content/store.yaml";
  const nothing = {
    currency: undefined,
    baseUrl: undefined,
    locale: "en",
    pictures: [],
    categories: [],
    taxClasses: [],
    fields: undefined,
    shop: undefined,
  };
  if (!existsSync(join(root, file)))
    return { ...nothing, problems: [{ file, line: 1, message: "The file is missing." }] };
  const { text, problems: unreadable } = readTextFile(root, file);
  const { yaml, problems: written } = parseYaml(file, text, 1);
  const problems = [...unreadable, ...findUnseen(file, text, yaml, written)];
  if (yaml === undefined) return { ...nothing, problems };
  if (yaml.document.contents === null) {
    const needed = Object.entries(shopSchema.shape).filter(([, field]) => !field.safeParse(undefined).success);
    const message = `The file is empty. Add these fields: ${needed.map(([name]) => name).join(", ")}.`;
    return { ...nothing, problems: [...problems, { file, line: 1, message }] };
  }
  problems.push(
    ...findSchemaProblems(file, yaml, shopSchema),
    ...findUnfilled(file, yaml),
    ...findLocalAddress(file, yaml),
    ...findExpiry(file, yaml),
    ...findPoorContrast(file, yaml),
    ...findFontProblems(root, file, yaml),
    ...findHtmlInFields(file, text, yaml),
    ...findLanguage(root, file, yaml),
  );
  const shop = shopSchema.safeParse(yaml.document.toJS()).data;
  if (shop) problems.push(...findOddTerms(file, yaml, shop));
  const logo = readField(yaml, "logo");
  const counter = counterFields.safeParse(yaml.document.toJS().counter).data;
  return {
    currency: readField(yaml, "currency"),
    baseUrl: readField(yaml, "base_url"),
    locale: readField(yaml, "locale") ?? "en",
    fields: new Set(Object.keys(yaml.document.toJS())),
    pictures: logo === undefined ? [] : [{ file, line: locate(yaml, ["logo"]).line, source: logo }],
    categories: (counter ? categoriesOf(counter) : []).map(({ slug, path }) => {
      return { file, line: locate(yaml, ["counter", ...path]).line, slug };
    }),
    taxClasses: Object.keys(shop?.tax.classes ?? {}).map((name) => {
      return { file, line: locate(yaml, ["tax", "classes", name]).line, name };
    }),
    shop,
    problems,
  };
}

function findLanguage(root: string, file: string, yaml: Yaml): Problem[] {
  const locale = readField(yaml, "locale");
  if (locale === undefined) return [];
  const place = { file, line: locate(yaml, ["locale"]).line };
  return [
    ...findLanguageProblems(locale, place, readOwnWords(join(root, "content"))),
    ...findOwnWordProblems(root, locale),
  ];
}

/** One field alone, so that an error in another one doesn't cause false alarms. */
const readField = (yaml: Yaml, name: "currency" | "base_url" | "locale" | "logo") =>
  shopSchema.shape[name].safeParse(yaml.document.get(name)).data;

/** Finds an address that only this machine has. A warning, since a shop begins there. */
function findLocalAddress(file: string, yaml: Yaml): Problem[] {
  const address = readField(yaml, "base_url");
  const { hostname } = new URL(address ?? "https://shop.example");
  if (!/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) return [];
  const message = `base_url ${address} is this machine's. Before customers come, write the shop's own: \`https://shop.example\`.`;
  return [{ file, line: locate(yaml, ["base_url"]).line, message, isWarning: true }];
}

/** Early enough for a shop that changes once a week. */
const WARNING_DAYS = 30;

/** RFC 9116, 2.5.5 recommends less than a year. */
const MOST_DAYS = 365;

/** Finds a security contact that has expired, expires soon, or is valid for too long. Warnings: the shop is built without it. */
function findExpiry(file: string, yaml: Yaml): Problem[] {
  const day = date.safeParse(yaml.document.getIn(["security", "expires"])).data;
  const advice = day === undefined ? undefined : describeExpiry(daysLeft(day, new Date()));
  if (advice === undefined) return [];
  const message = `security, expires ${day} ${advice}`;
  return [{ file, line: locate(yaml, ["security", "expires"]).line, message, isWarning: true }];
}

function describeExpiry(left: number): string | undefined {
  if (left > MOST_DAYS) return "is more than a year away. Write a date within a year (RFC 9116).";
  if (left >= WARNING_DAYS) return undefined;
  return `${left < 0 ? "has passed" : "is near"}. After that date the shop is built without ${securityTxtPath}. If the contact is still right, write a later date.`;
}

/** The contrast that WCAG 2.2, 1.4.3 requires for text of normal size. */
const LEAST = 4.5;

const pairsOf = (texts: string[], grounds: string[]) =>
  texts.flatMap((text) => grounds.map((ground) => ({ text, ground })));

/** Text colours and their backgrounds, by the field that they depend on. */
const pairs = {
  paper: pairsOf(["ink", "muted", "good", "wait", "gone"], ["paper", "surface"]),
  accent: [
    ...pairsOf(["accent", "accent-strong"], ["paper", "surface", "wash"]),
    ...pairsOf(["on-accent"], ["accent", "accent-strong"]),
  ],
};

const tokens = new URL("../src/styles/tokens.css", import.meta.url);

/** Finds colours of the shop that make text hard to read. */
function findPoorContrast(file: string, yaml: Yaml): Problem[] {
  const css = readFileSync(tokens, "utf8");
  const shop = yaml.document.toJS();
  const places = [
    { place: ["look", "colours"], written: shop.look?.colours },
    { place: ["colours"], written: shop.colours },
  ];
  return places.flatMap(({ place, written }) => {
    const chosen = colours.safeParse(written).data;
    if (chosen === undefined) return [];
    return (["light", "dark"] as const).flatMap((scheme) => {
      const problem = poorContrast(chosen, scheme, css);
      if (problem === undefined) return [];
      const { field, message } = problem;
      const path = [...place, scheme, field];
      return { file, line: locate(yaml, path).line, message: `${fieldName(path)} ${message}` };
    });
  });
}

/** Checks paper first, since the accent's contrast depends on it. */
function poorContrast(colours: Colours, scheme: Scheme, css: string) {
  const standard = readPalette(css, scheme);
  const own = colours[scheme];
  for (const field of ["paper", "accent"] as const) {
    const written = own[field];
    if (written === undefined) continue;
    const worst = (value: string) =>
      lowest(new Map([...standard, ...deriveColours({ ...own, [field]: value }, standard)]), field);
    const ratio = worst(written);
    if (ratio >= LEAST) continue;
    // A text colour moves away from its background, and a background from its text.
    const end = (scheme === "light") === (field === "paper") ? "#ffffff" : "#000000";
    const steps = Array.from({ length: 50 }, (_, index) => mix(written, end, (index + 1) / 50));
    const right = steps.find((value) => worst(value) >= LEAST) ?? end;
    const place = field === "paper" ? "Text on it" : "The colour, or text on it,";
    const way = end === "#ffffff" ? "lighter" : "darker";
    return {
      field,
      message: `"${written}" is hard to read: ${place} has a contrast of ${floor(ratio)}:1, and needs ${LEAST}:1. Write \`${field}: "${right}"\`, which is slightly ${way}.`,
    };
  }
  return undefined;
}

const lowest = (palette: ReadonlyMap<string, string>, field: keyof typeof pairs) =>
  Math.min(...pairs[field].map(({ text, ground }) => contrast(palette.get(text) ?? "", palette.get(ground) ?? "")));

/** Rounds down, so that 4.46 isn't shown as 4.5. */
const floor = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);
