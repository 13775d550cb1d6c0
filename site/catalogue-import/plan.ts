import { payableDigits } from "../../api/contract/currencies.ts";
import { divideTo, formatMoney, parseMoney, readAmount } from "../../api/contract/money.ts";
import { isSlug } from "../../api/contract/patterns.ts";
import type { ContentFiles, PageFile } from "../content-check/content-files.ts";
import { fieldName } from "../content-check/field-problems.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { slugOf } from "../content-schema/fields.ts";
import { productSchema } from "../content-schema/product.ts";
import type { Shop } from "../content-schema/shop.ts";
import { productPath } from "../urls/paths.ts";
import { type NewCategory, openCategories } from "./categories.ts";
import { checkMarkdown, describe, type Links } from "./description.ts";
import type { ForeignCatalogue, ForeignPicture, ForeignProduct, ForeignVersion } from "./formats/foreign-product.ts";
import { addressWords, cleanText, firstSentence, plainLine, shorten } from "./formats/values.ts";
import { hashOf, type Memory, type Remembered } from "./memory.ts";
import { type PictureSource, sourceProblem } from "./pictures.ts";
import { type Fields, mergeFields, readProduct, versionsOf, type WantedVersion, writeProduct } from "./product-file.ts";
import { isSku, proposeSku } from "./skus.ts";

/** A product whose file is to be written. */
export interface PlannedProduct {
  name: string;
  line: number;
  slug: string;
  /** Its file's folder and path, from the folder of content/. */
  folder: string;
  file: string;
  isNew: boolean;
  isDraft: boolean;
  /** As they will be, with the sources of pictures in place of their paths. */
  fields: Fields;
  body: string | undefined;
  base: { text: string; data: Fields } | undefined;
  /** Pictures that must be found, by source. */
  wanted: string[];
  /** Those that are beside it already: path by source. */
  known: Map<string, string>;
  entry: Omit<Remembered, "written">;
  oldAddresses: string[];
  /** What was changed or lost. */
  notes: Iterable<string>;
  /** On the shelf, by SKU. */
  pieces: Map<string, number>;
}

/** What an import would do. */
export interface Plan {
  format: string;
  products: PlannedProduct[];
  unchanged: number;
  /** Names of products that would change, and whose files weren't written by an import, or were edited since. */
  edited: string[];
  categories: NewCategory[];
  leftOut: { name: string; line: number; reason: string }[];
  /** The names of products by what was changed or lost. */
  notes: Map<string, string[]>;
  unused: string[];
  /** How many pictures are in the folder, are to be fetched, and are neither. */
  pictures: { inFolder: number; toFetch: number; missing: number };
}

/** What an import works with. */
export interface Importing {
  content: ContentFiles;
  shop: Shop;
  memory: Memory;
  pictures: PictureSource;
  /** Whether files are changed that somebody has edited. */
  update: boolean;
}

/** More than shops have, and as many as a page can show. */
const MOST_PICTURES = 30;

/** The products of content/ by their slugs, and who has a SKU or GTIN. */
export function indexProducts(pages: readonly PageFile[]) {
  const bySlug = new Map(pages.flatMap((page) => (page.kind === "product" ? [[page.slug, page] as const] : [])));
  const skus = new Map<string, string>();
  const gtins = new Map<string, string>();
  for (const [slug, { text }] of bySlug) {
    const front = text.slice(0, text.indexOf("\n---", 3));
    for (const [, field, ...found] of front.matchAll(
      /(?:^[ \t-]*|[{,][ \t]*)(sku|gtin):[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s,}]+))/gm,
    ))
      (field === "sku" ? skus : gtins).set(found.find((each) => each !== undefined) ?? "", slug);
  }
  return { bySlug, skus, gtins };
}

/** Finds out what an import would do. Writes nothing. */
export function makePlan(catalogue: ForeignCatalogue, importing: Importing): Plan {
  return new Planner(catalogue, importing).plan();
}

class Planner {
  readonly #catalogue: ForeignCatalogue;
  readonly #importing: Importing;
  readonly #index: ReturnType<typeof indexProducts>;
  readonly #categories: ReturnType<typeof openCategories>;
  readonly #schema: ReturnType<typeof productSchema>;
  /** The paths of published products by their old ones. */
  readonly #paths = new Map<string, string>();
  readonly #links: Links;
  readonly #plan: Plan;

  constructor(catalogue: ForeignCatalogue, importing: Importing) {
    const { content, shop } = importing;
    this.#catalogue = catalogue;
    this.#importing = importing;
    this.#index = indexProducts(content.pages);
    this.#categories = openCategories(content.pages, shop.locale);
    this.#schema = productSchema(shop.currency);
    this.#links = { hosts: new Set([...catalogue.hosts, new URL(shop.base_url).host]), paths: this.#paths };
    this.#plan = {
      ...{ format: catalogue.format, products: [], unchanged: 0, edited: [], categories: this.#categories.added },
      ...{ leftOut: [], notes: new Map(), unused: catalogue.unused, pictures: { inFolder: 0, toFetch: 0, missing: 0 } },
    };
  }

  plan(): Plan {
    const slugs = this.#chooseSlugs();
    for (const product of this.#catalogue.products) {
      if (product.obstacle !== undefined) this.#leaveOut(product, product.obstacle);
      else
        try {
          this.#planProduct(product, slugs.get(product) ?? "");
        } catch (error) {
          if (!(error instanceof ContentError)) throw error;
          this.#leaveOut(product, error.message);
        }
    }
    return this.#plan;
  }

  #leaveOut({ name, line }: ForeignProduct, reason: string): void {
    this.#plan.leftOut.push({ name, line, reason });
  }

  #note(name: string, notes: Iterable<string>): void {
    for (const note of notes) {
      const names = this.#plan.notes.get(note) ?? [];
      if (names.at(-1) !== name) names.push(name);
      this.#plan.notes.set(note, names);
    }
  }

  /** Chooses them before descriptions are read, which link to one another. */
  #chooseSlugs(): Map<ForeignProduct, string> {
    const { memory } = this.#importing;
    const { bySlug, skus } = this.#index;
    const owners = new Map<string, ForeignProduct>();
    const remembered = new Map<ForeignProduct, string>();
    for (const product of this.#catalogue.products) {
      if (product.obstacle !== undefined) continue;
      const slug = memory.get(product.key, (slug) => bySlug.get(slug)?.text)?.slug;
      if (slug === undefined || owners.has(slug)) continue;
      owners.set(slug, product);
      remembered.set(product, slug);
    }
    const chosen = new Map<ForeignProduct, string>();
    for (const product of this.#catalogue.products) {
      if (product.obstacle !== undefined) continue;
      const wish = wishedSlug(product);
      const isOwn = (slug: string) =>
        !bySlug.has(slug) ||
        product.key === `table:${slug}` ||
        product.versions.some(({ sku }) => skus.get(sku) === slug);
      let slug = remembered.get(product) ?? wish;
      for (let count = 2; !remembered.has(product) && (owners.has(slug) || !isOwn(slug)); count += 1)
        slug = `${wish}-${count}`;
      owners.set(slug, product);
      chosen.set(product, slug);
      // What is written wins over what is proposed for a product above it.
      for (const { sku } of product.versions) if (isSku(sku) && !skus.has(sku)) skus.set(sku, slug);
      if (product.fields["draft"] === true) continue;
      for (const address of product.oldAddresses) {
        const path = (URL.parse(address, "https://old.invalid")?.pathname ?? "").replace(/(?<=.)\/$/, "");
        if (path !== "" && path !== "/") this.#paths.set(decode(path), productPath(slug));
      }
    }
    return chosen;
  }

  #planProduct(product: ForeignProduct, slug: string): void {
    const { memory, update } = this.#importing;
    const page = this.#index.bySlug.get(slug);
    const entry = memory.get(product.key, (slug) => this.#index.bySlug.get(slug)?.text);
    const { line: _, ...said } = product;
    const source = hashOf(JSON.stringify(said));
    const isEdited = page === undefined ? entry !== undefined : !memory.hasWritten(slug, page.text);
    // What a table says is what differs from the file.
    if (product.isWhole && entry?.source === source && !(update && isEdited)) {
      this.#plan.unchanged += 1;
      return;
    }
    // Somebody has deleted it.
    if (page === undefined && isEdited && !update) return void this.#plan.edited.push(product.name);
    const planned = this.#build(product, slug, page, entry, source);
    if (planned === undefined) this.#plan.unchanged += 1;
    else if (page !== undefined && isEdited && !update) this.#plan.edited.push(product.name);
    else {
      this.#plan.products.push(planned);
      this.#countPictures(planned.wanted);
      this.#note(product.name, planned.notes);
    }
  }

  /** Undefined if its file says all that already. Throws ContentError if it can't be valid. */
  #build(
    product: ForeignProduct,
    slug: string,
    page: PageFile | undefined,
    entry: Remembered | undefined,
    source: string,
  ): PlannedProduct | undefined {
    const notes = new Set(product.notes);
    const base = page && { text: page.text, data: readProduct(page.file, page.text).data };
    const { body, opening, pictures: inText } = this.#describe(product, notes);
    const skus: Record<string, string> = {};
    const pieces = new Map<string, number>();
    const versions = this.#versions(product, slug, { entry, skus, pieces, base: base?.data, notes });
    const known = this.#picturesBeside(entry, base?.data, page);
    const pictures =
      product.pictures && this.#pictures([...product.pictures, ...inText], { known, base: base?.data, page, notes });
    const wanted: Fields = {
      ...product.fields,
      ...this.#texts(product, { opening, isNew: base === undefined, notes }),
    };
    if (pictures !== undefined && pictures.length > 0) {
      const title = String(wanted["title"] ?? base?.data["title"] ?? "");
      wanted["images"] = pictures.map(({ source, alt }) => ({ src: source, alt: shorten(alt || title, 250) }));
      if (pictures.some(({ alt }) => alt === ""))
        notes.add("A picture without a description has the title as its own.");
    } else if (base === undefined) {
      wanted["images"] = [{ src: PLACEHOLDER_SOURCE, alt: String(wanted["title"] ?? "") }];
      known.set(PLACEHOLDER_SOURCE, PLACEHOLDER_SOURCE);
      notes.add("There is no picture: a grey placeholder stands in for one.");
    }
    const fields = mergeFields(base?.data, wanted, versions, product.isWhole);
    this.#validate(fields);
    const draft = fields["draft"] === true;
    const category = page?.category ?? this.#categories.slugFor(product.categories[0] ?? []);
    this.#addCategories(product, fields, category, page, notes);
    const folder = `content/products/${category}`;
    const sources = [...new Set(imagesOf(fields).map(({ src }) => src))].filter((source) => !known.has(source));
    const planned: PlannedProduct = {
      ...{
        name: product.name,
        line: product.line,
        slug,
        folder,
        file: page?.file ?? `${folder}/${slug}.md`,
        base,
        body,
      },
      ...{ isNew: page === undefined, isDraft: draft, fields, wanted: sources, known, pieces, notes },
      entry: { key: product.key, slug, source, skus, pictures: {} },
      oldAddresses: draft ? [] : product.oldAddresses,
    };
    if (base !== undefined && sources.length === 0 && finishProduct(planned, known) === base.text) return undefined;
    return planned;
  }

  #describe(
    { description }: ForeignProduct,
    notes: Set<string>,
  ): { body: string | undefined; opening: string; pictures: ForeignPicture[] } {
    if (description === undefined) return { body: undefined, opening: "", pictures: [] };
    try {
      if ("markdown" in description) {
        checkMarkdown(description.markdown);
        return { body: description.markdown, opening: "", pictures: [] };
      }
      const { markdown, opening, pictures, notes: more } = describe(description.html, this.#links);
      for (const note of more) notes.add(note);
      return { body: markdown, opening, pictures };
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      notes.add(`A description was left out: ${error.message}.`);
      return { body: undefined, opening: "", pictures: [] };
    }
  }

  /** Title, brand, summary and specifications as content/ may have them. */
  #texts(
    product: ForeignProduct,
    { opening, isNew, notes }: { opening: string; isNew: boolean; notes: Set<string> },
  ): Fields {
    const { shop } = this.#importing;
    const { fields } = product;
    const texts: Fields = {};
    const written = (name: string) => (typeof fields[name] === "string" ? fields[name].trim() : "");
    if ("title" in fields || isNew) {
      if (written("title") === "") throw new ContentError("has no title");
      texts["title"] = shorten(written("title"), 100);
      if (texts["title"] !== written("title")) notes.add("A title was cut to 100 characters.");
    }
    if ("brand" in fields || isNew) {
      texts["brand"] = shorten(written("brand") || shop.name, 60);
      if (written("brand") === "") notes.add("There is no brand: the shop's name is written.");
    }
    if ("summary" in fields || isNew) {
      const given = firstSentence(written("summary"), 160, shop.locale);
      texts["summary"] = given || firstSentence(cleanText(opening), 160, shop.locale) || shorten(written("title"), 160);
      if (written("summary") === "")
        notes.add("There is no summary: it is the description's first sentence, or the title.");
      else if (given !== written("summary")) notes.add("A summary was cut to one sentence of 160 characters at most.");
    }
    const { specifications } = fields;
    if (typeof specifications === "object" && specifications !== null && product.isWhole)
      texts["specifications"] = tidySpecifications(specifications as Fields);
    return texts;
  }

  #versions(
    product: ForeignProduct,
    slug: string,
    {
      entry,
      skus,
      pieces,
      base,
      notes,
    }: {
      entry: Remembered | undefined;
      skus: Record<string, string>;
      pieces: Map<string, number>;
      base: Fields | undefined;
      notes: Set<string>;
    },
  ): WantedVersion[] {
    const owners = this.#index;
    const own = new Set<string>();
    const present = new Set(versionsOf(base).map(({ sku }) => sku));
    const wanted: WantedVersion[] = [];
    for (const version of product.versions) {
      const fields = { ...version.fields };
      const isNew = !present.has(version.sku);
      if ("price" in fields || isNew) {
        const price = this.#price(fields["price"], product.key.startsWith("table:"), notes);
        if (price === undefined) {
          notes.add("A version without a price, or with a price of zero, was left out.");
          continue;
        }
        fields["price"] = price;
      }
      if (isNew && fields["availability"] === undefined) {
        fields["availability"] = "in_stock";
        notes.add("The table doesn't say what is in stock, so it is in stock.");
      }
      const sku = this.#sku(version, slug, own, { entry, skus, notes });
      own.add(sku);
      const { gtin } = fields;
      const owner = typeof gtin === "string" ? owners.gtins.get(gtin) : undefined;
      if (owner !== undefined && owner !== slug) {
        delete fields["gtin"];
        notes.add("A GTIN that another product has was left out.");
      }
      if (version.pieces !== undefined) pieces.set(sku, version.pieces);
      const options = version.options && shortOptions(version.options);
      wanted.push({ sku, fields, options, picture: version.picture });
    }
    if (product.versions.length === 0) throw new ContentError("has no version that can be ordered");
    if (wanted.length === 0) throw new ContentError("has no price");
    // Only now is it sure that the product keeps them.
    const seen = new Set<string>();
    for (const { fields } of wanted) {
      const gtin = fields["gtin"];
      if (typeof gtin !== "string") continue;
      if (seen.has(gtin)) {
        delete fields["gtin"];
        notes.add("A GTIN that another version has was left out.");
      } else seen.add(gtin);
    }
    for (const gtin of seen) owners.gtins.set(gtin, slug);
    for (const sku of own) owners.skus.set(sku, slug);
    return wanted;
  }

  #sku(
    version: ForeignVersion,
    slug: string,
    own: ReadonlySet<string>,
    { entry, skus, notes }: { entry: Remembered | undefined; skus: Record<string, string>; notes: Set<string> },
  ): string {
    const owners = this.#index.skus;
    const isFree = (sku: string) => !own.has(sku) && (owners.get(sku) ?? slug) === slug;
    const written = plainLine(version.sku);
    if (isSku(written) && isFree(written)) return written;
    const values = Object.values(version.options ?? {});
    const place = [written, ...values].join(" / ");
    const before = entry?.skus[place];
    const sku =
      before !== undefined && isFree(before)
        ? before
        : proposeSku({ written: isSku(written) ? "" : written, slug, values }, isFree);
    skus[place] = sku;
    notes.add(
      written === ""
        ? "A version without a SKU got one."
        : isSku(written)
          ? "A SKU that another version has was replaced by a new one."
          : "A SKU with a space or a letter outside ASCII was written without it.",
    );
    return sku;
  }

  /** As the shop writes it; undefined if there is none, or of zero. Throws ContentError for what isn't one. */
  #price(written: unknown, isTyped: boolean, notes: Set<string>): string | undefined {
    const { currency } = this.#importing.shop;
    const [text, digits] = [String(written ?? "").trim(), payableDigits(currency)];
    if (text === "" || /^0+([.,]0*)?$/.test(text)) return undefined;
    // Programs write 12.5 and 12.5000.
    if (!isTyped && /^\d{1,12}(\.\d+)?$/.test(text)) {
      const exact = parseMoney(text.replace(/^0+(?=\d)/, "").replace(/(\.\d{4})\d+$/, "$1"));
      const rounded = divideTo(exact, 1n, digits);
      if (rounded !== exact) notes.add(`A price was rounded to the ${digits} decimals of ${currency}.`);
      return rounded === 0n ? undefined : formatMoney(rounded, digits);
    }
    const amounts = readAmount(text, currency);
    const [amount] = amounts;
    if (amount === undefined)
      throw new ContentError(`has the price “${shorten(plainLine(text), 40)}”, which isn't an amount in ${currency}`);
    if (amounts.length > 1) throw new ContentError(`has the price “${text}”, which may mean ${amounts.join(" or ")}`);
    return amount;
  }

  /** The paths of pictures that are there, by their sources and by themselves. */
  #picturesBeside(
    entry: Remembered | undefined,
    base: Fields | undefined,
    page: PageFile | undefined,
  ): Map<string, string> {
    const own = imagesOf(base ?? {}).map(({ src }) => [src, src] as const);
    const remembered = Object.entries(entry?.pictures ?? {}).filter(([, path]) => this.#isBeside(page, path));
    return new Map([...remembered, ...own]);
  }

  #isBeside(page: PageFile | undefined, path: string): boolean {
    const name = path.replace(/^\.\//, "");
    return page !== undefined && this.#importing.content.paths.has(`content/products/${page.category}/${name}`);
  }

  /** The pictures to show, each once. */
  #pictures(
    pictures: readonly ForeignPicture[],
    {
      known,
      base,
      page,
      notes,
    }: { known: Map<string, string>; base: Fields | undefined; page: PageFile | undefined; notes: Set<string> },
  ): ForeignPicture[] {
    const before = new Map(imagesOf(base ?? {}).map(({ src, alt }) => [src, alt]));
    const bySource = new Map<string, string>();
    for (const { source: written, alt } of pictures) {
      const source = secure(written);
      if (source === "") continue;
      if (!known.has(source) && this.#isBeside(page, source)) known.set(source, `./${source.replace(/^\.\//, "")}`);
      const isThere = known.has(source) || this.#importing.pictures.has(source);
      const problem = isThere ? undefined : sourceProblem(source);
      if (problem === undefined)
        bySource.set(source, bySource.get(source) || alt || before.get(known.get(source) ?? source) || "");
      else notes.add(`A picture ${problem}, and was left out.`);
    }
    if (bySource.size > MOST_PICTURES) notes.add(`Pictures after the first ${MOST_PICTURES} were left out.`);
    return [...bySource].slice(0, MOST_PICTURES).map(([source, alt]) => ({ source, alt }));
  }

  #countPictures(sources: readonly string[]): void {
    const { pictures } = this.#plan;
    for (const source of sources) {
      if (this.#importing.pictures.has(source)) pictures.inFolder += 1;
      else if (/^https:/i.test(source)) pictures.toFetch += 1;
      else pictures.missing += 1;
    }
  }

  #validate(fields: Fields): void {
    // A version's picture that was left out is none.
    const sources = new Set(imagesOf(fields).map(({ src }) => src));
    for (const version of (fields["variants"] ?? []) as Fields[])
      if (typeof version["image"] === "string" && !sources.has(version["image"])) {
        if (sources.has(secure(version["image"]))) version["image"] = secure(version["image"]);
        else delete version["image"];
      }
    const [issue] = this.#schema.safeParse(fields).error?.issues ?? [];
    if (issue !== undefined) throw new ContentError(`${fieldName(issue.path)} ${issue.message.split("\n")[0]}`.trim());
    const taxClass = fields["tax_class"];
    if (typeof taxClass === "string" && !Object.hasOwn(this.#importing.shop.tax.classes ?? {}, taxClass))
      throw new ContentError(`tax_class ${taxClass} isn't in \`tax.classes\` of store.yaml`);
    const maker = fields["maker"];
    if (typeof maker === "string" && !this.#importing.content.paths.has(`content/makers/${maker}.md`))
      throw new ContentError(`maker ${maker} has no file in content/makers/`);
  }

  #addCategories(
    product: ForeignProduct,
    fields: Fields,
    category: string,
    page: PageFile | undefined,
    notes: Set<string>,
  ): void {
    const [first = [], ...others] = product.categories;
    if (first.length > 3) notes.add("A category more than three levels deep was cut to three.");
    if (page === undefined && first.length === 0) notes.add("There is no category: it is in a general one.");
    if (page !== undefined && first.length > 0 && this.#categories.find(first) !== category)
      notes.add("The category has changed, and the file stays in its folder: move it, if you like.");
    const also = others.map((path) => this.#categories.slugFor(path)).filter((slug) => slug !== category);
    if (also.length > 0) fields["also_in"] = [...new Set(also)];
    const listed = fields["also_in"];
    if (!Array.isArray(listed)) return;
    const stray = listed.find((slug) => this.#categories.find([String(slug)]) !== slug);
    if (stray !== undefined) throw new ContentError(`also_in names ${stray}, which isn't a category`);
  }
}

const secure = (source: string): string => source.trim().replace(/^http:\/\//i, "https://");

/** Where no picture is: a drawing that the importer writes. */
export const PLACEHOLDER_SOURCE = "placeholder";

/** A product's pictures. */
export const imagesOf = (fields: Fields): { src: string; alt: string }[] =>
  Array.isArray(fields["images"]) ? (fields["images"] as { src: string; alt: string }[]) : [];

/** A product's file, with the paths of its pictures by their sources. Those without a path are left out. */
export function finishProduct(
  { fields, base, body }: Pick<PlannedProduct, "fields" | "base" | "body">,
  paths: ReadonlyMap<string, string>,
): string {
  const seen = new Set<string>();
  const images = imagesOf(fields).flatMap(({ src, ...rest }) => {
    const path = paths.get(src);
    if (path === undefined || seen.has(path)) return [];
    seen.add(path);
    return { src: path, ...rest };
  });
  const finished: Fields = { ...fields, ...("images" in fields && { images }) };
  if (Array.isArray(fields["variants"]))
    finished["variants"] = (fields["variants"] as Fields[]).map((version) =>
      Object.fromEntries(
        Object.entries(version).flatMap(([name, value]) => {
          const shown = name === "image" ? paths.get(String(value)) : value;
          return shown === undefined ? [] : [[name, shown]];
        }),
      ),
    );
  return writeProduct(base, finished, body);
}

function wishedSlug({ slug, name, key }: ForeignProduct): string {
  for (const text of [slug, name]) {
    const whole = slugOf(text);
    if (whole !== undefined && Buffer.byteLength(whole) <= 120) return whole;
    const words = (
      addressWords(text)
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []
    ).slice(0, 8);
    while (words.length > 0 && Buffer.byteLength(words.join("-")) > 120) words.pop();
    if (words.length > 0 && isSlug(words.join("-"))) return words.join("-");
  }
  return `product-${hashOf(key).slice(0, 8)}`;
}

const shortOptions = (options: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, shorten(value, 200)]));

/** Facts with names and values that content/ may have; the others are left out. */
function tidySpecifications(specifications: Fields): Fields {
  return Object.fromEntries(
    Object.entries(specifications).flatMap(([name, value]) => {
      if (!/\D/.test(name) || name === "__proto__") return [];
      if (!Array.isArray(value)) return [[name, shorten(String(value), 200)]];
      const isShort = value.every((each) => String(each).length <= 60);
      return [[name, isShort ? value : shorten(value.join(", "), 200)]];
    }),
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
