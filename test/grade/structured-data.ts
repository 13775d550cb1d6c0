import Validator from "@adobe/structured-data-validator";
import type { Grade } from "./grades.ts";
import { type JsonLdNode, nodesIn, readJsonLd, typesOf } from "./json-ld.ts";
import { checkMerchantRules } from "./merchant-rules.ts";
import type { Page } from "./pages.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

interface CheckedThing extends JsonLdCheck {
  /** The type of the top-level node; nested nodes count as part of it. */
  type: string;
  url: string;
}

/** Checks every page's JSON-LD against schema.org's vocabulary and Google's rules for merchant listings. */
export async function gradeStructuredData(pages: Page[]): Promise<{ summary: string; value: Grade[] }> {
  const vocabulary = readVocabulary();
  const checked: CheckedThing[] = [];
  for (const page of pages) checked.push(...(await checkPage(page, vocabulary)));
  const byType = [...Map.groupBy(checked, ({ type }) => type)].sort(([one], [other]) => one.localeCompare(other));
  return {
    summary: byType.map(([type, things]) => `${type} ${things.length}`).join(", "),
    value: byType.map(([type, things]) => gradeType(type, things)),
  };
}

async function checkPage({ url, kind, html }: Page, vocabulary: Vocabulary): Promise<CheckedThing[]> {
  const roots = readJsonLd(html);
  const checked: CheckedThing[] = [];
  for (const root of roots) {
    checked.push({ type: typesOf(root).join(" ") || "no type", url, ...(await checkJsonLd(root, vocabulary)) });
  }
  if (kind === "product" && !checked.some(({ type }) => type === "Product" || type === "ProductGroup"))
    checked.push({ type: "Product", url, problems: ["a product page has no Product"], missing: [] });
  return checked;
}

function gradeType(subject: string, things: readonly CheckedThing[]): Grade {
  const problems = things.flatMap(({ url, problems }) => problems.map((what) => ({ what, url })));
  const missing = Map.groupBy(
    things.flatMap(({ missing }) => missing),
    (property) => property,
  );
  const counts = [...missing].map(([property, { length }]) =>
    length === things.length ? property : `${property} ${length} ×`,
  );
  return {
    grader: "JSON-LD",
    subject,
    figures: `${String(things.length).padStart(4)} on ${pages(things)}, ${problems.length} errors`,
    bar: "0 errors",
    problems,
    notes: counts.length === 0 ? [] : [{ what: `recommended, but missing: ${counts.join(", ")}` }],
  };
}

const pages = (things: readonly CheckedThing[]) => {
  const { size } = new Set(things.map(({ url }) => url));
  return size === 1 ? "1 page" : `${size} pages`;
};

interface JsonLdCheck {
  problems: string[];
  /** Missing properties that Google recommends, as `Type.property`. */
  missing: string[];
}

/** Properties whose value must be an absolute address. */
const ADDRESSES = ["url", "image", "logo", "item", "contentUrl", "sameAs"];

/** Checks a top-level node with all nodes nested in it. */
async function checkJsonLd(root: JsonLdNode, vocabulary: Vocabulary): Promise<JsonLdCheck> {
  const found = [await askAdobe(root), ...nodesIn(root).map((node) => checkNode(node, vocabulary, node === root))];
  const problems = found.flatMap((each) => each.problems);
  if (root["@context"] !== "https://schema.org") problems.push("@context isn't https://schema.org");
  return { problems: [...new Set(problems)], missing: [...new Set(found.flatMap((each) => each.missing))] };
}

function checkNode(node: JsonLdNode, vocabulary: Vocabulary, isRoot: boolean): JsonLdCheck {
  const types = typesOf(node);
  const rules = types.map((type) => checkMerchantRules(type, node, isRoot));
  return {
    problems: [
      ...checkNames(node, types, vocabulary),
      ...checkValues(node, types, vocabulary),
      ...rules.flatMap((each) => each.problems),
    ],
    missing: rules.flatMap((each) => each.missing),
  };
}

function checkNames(node: JsonLdNode, types: readonly string[], vocabulary: Vocabulary): string[] {
  const properties = Object.keys(node).filter((key) => !key.startsWith("@"));
  // A node without a type can only refer to a node by @id.
  if (types.length === 0) return properties.length === 0 ? [] : [`no @type beside ${properties.join(", ")}`];
  const unknown = types.filter((type) => !vocabulary.types.has(type)).map((type) => `schema.org has no type ${type}`);
  if (unknown.length > 0) return unknown;
  const misplaced = properties.filter((property) => !types.some((type) => vocabulary.types.get(type)?.has(property)));
  return misplaced.map((property) => `${types} has no ${property} in schema.org`);
}

function checkValues(node: JsonLdNode, types: readonly string[], vocabulary: Vocabulary): string[] {
  return Object.entries(node).flatMap(([property, value]) => {
    const texts = [value].flat().filter((each) => typeof each === "string");
    const relative = ADDRESSES.includes(property) ? texts.filter((text) => !URL.canParse(text)) : [];
    const unknown = property.startsWith("@")
      ? []
      : texts.filter((text) => text.startsWith("https://schema.org/") && !isKnown(text, property, vocabulary));
    return [
      ...relative.map((text) => `${types}.${property} isn't an absolute address: ${text}`),
      ...unknown.map((text) => `${types}.${property}: schema.org has no ${text}`),
    ];
  });
}

/** `variesBy` names properties of Product, the others members of enumerations. */
const isKnown = (address: string, property: string, { types, members }: Vocabulary): boolean =>
  property === "variesBy"
    ? (types.get("Product")?.has(address.replace("https://schema.org/", "")) ?? false)
    : members.has(address);

/** The validator expects nodes by the type of their root, and changes its input, so it gets a clone. */
async function askAdobe(root: JsonLdNode): Promise<JsonLdCheck> {
  const issues = await new Validator().validate({ jsonld: { [typesOf(root)[0] ?? "Thing"]: [structuredClone(root)] } });
  const checked: JsonLdCheck = { problems: [], missing: [] };
  for (const { severity, issueMessage, fieldNames, path } of issues) {
    const type = path?.at(-1)?.type ?? "";
    if (severity !== "ERROR" && /\bMissing\b/.test(issueMessage))
      checked.missing.push(`${type}.${fieldNames.join(" or ")}`);
    else checked.problems.push(`${type}: ${issueMessage}`);
  }
  return checked;
}
