import { MAIL_KINDS, type MailKind } from "../../../api/contract/mail-kinds.ts";
import { pictureTypes } from "../../content-check/content-files.ts";
import { documentTypes } from "../../content-schema/documents.ts";
import { isVariantField } from "../../content-schema/product.ts";
import { readStandardMail } from "../../mails/read-standard-mail.ts";
import { LARGEST_PX } from "../../pictures/picture-sizes.ts";
import type { Field, Kind } from "../forms/fields.ts";
import { type FormatName, formatNamed } from "../forms/formats.ts";
import { readFile as readForm } from "../forms/writer.ts";
import type { AdminWords } from "../words.ts";

export interface ShopToEdit {
  words: AdminWords;
  locale: string;
  /** The categories' slugs and titles, in order. */
  categories: readonly { slug: string; title: string }[];
  /** What to write into fields, by their names. */
  hints: ReadonlyMap<string, string>;
}

// Sveltia's types can't be resolved by Node's rules; a test holds the configuration to its JSON schema instead.
type Settings = Record<string, unknown>;
type Widget = Settings & { name: string };

/** Folders with one entry a file; `mdx` is a collection of its own, because Sveltia has one ending for each. */
type EntryFolder = "guides" | "pages";

/** Sveltia's configuration, made from the schemas: a field that a schema gets can be edited at once. */
export function cmsConfig({ words, locale, categories, hints }: ShopToEdit): Settings {
  const { cms } = words;
  const make = (field: Field, path: string): Widget => toWidget(field, path, { words, locale, categories, hints });
  const widgets = (name: FormatName, isRaw = false): Widget[] => {
    const { fields, body } = formatNamed(name);
    const text = { name: "body", label: cms.fields.body, widget: "richtext", required: false } as const;
    const modes: ("raw" | "rich_text")[] = isRaw || body === "mdx" ? ["raw"] : ["rich_text", "raw"];
    const all = fields.map((field) => make(field, name));
    return body === "none" ? all : [...all, { ...text, modes }];
  };
  const common = {
    create: true,
    extension: "md",
    format: "yaml-frontmatter",
    media_folder: "",
    public_folder: "",
    slug: { template: "{{title}}", editable: true },
    summary: "{{title}}",
    editor: { preview: false },
  } as const;
  const entries = (name: EntryFolder, isMdx: boolean): Settings => ({
    ...common,
    name: isMdx ? `${name}_mdx` : name,
    label: cms[isMdx ? (`${name}_mdx` as const) : name],
    label_singular: cms[`${name}_singular`],
    folder: `content/${name}`,
    extension: isMdx ? "mdx" : "md",
    fields: widgets(name, isMdx),
  });
  const store: Settings = {
    name: "store",
    label: cms.store,
    file: "content/store.yaml",
    format: "yaml",
    media_folder: "",
    public_folder: "",
    fields: widgets("store"),
    editor: { preview: false },
  };
  // As a file each, because most don't exist: then the form begins with the standard mail.
  const mail = (kind: MailKind): Settings => {
    const { values, body } = readForm(formatNamed("mails"), readStandardMail(kind, locale));
    const standard: Readonly<Record<string, unknown>> = { ...values, body };
    return {
      name: kind,
      label: cms.mail_kinds[kind],
      file: `content/mails/${kind}.md`,
      format: "yaml-frontmatter",
      media_folder: "",
      public_folder: "",
      fields: widgets("mails").map((field) => ({ ...field, default: standard[field.name] })),
      editor: { preview: false },
    };
  };
  return {
    load_config_file: false,
    backend: {
      name: "gitea",
      repo: "shop/content",
      branch: "drafts",
      include_credentials: true,
      auth_methods: ["token"],
    },
    app_title: words.start.title,
    // Where the script of the page ends the session (editor.ts).
    logout_redirect_url: "#sign-out",
    media_folder: "content",
    public_folder: "",
    media_libraries: {
      default: { config: { slugify_filename: true, transformations: photographs } },
      stock_assets: false,
    },
    // From titles in another script nothing would be left in ASCII.
    slug: {
      encoding: categories.some(({ title }) => /[^\P{L}\p{Script=Latin}]/u.test(title)) ? "unicode" : "ascii",
      clean_accents: true,
    },
    output: { omit_empty_optional_fields: true },
    editor: { preview: false },
    show_preview_links: false,
    collections: [
      ...categories.map(({ slug, title }) => ({
        ...common,
        name: slug,
        label: title,
        label_singular: cms.product,
        folder: `content/products/${slug}`,
        fields: widgets("products"),
        view_filters: [{ label: cms.fields.draft, field: "draft", pattern: true }],
      })),
      { divider: true },
      {
        ...common,
        name: "categories",
        label: cms.categories,
        label_singular: cms.categories_singular,
        folder: "content/categories",
        fields: widgets("categories"),
      },
      {
        ...common,
        name: "makers",
        label: cms.makers,
        label_singular: cms.makers_singular,
        folder: "content/makers",
        slug: { template: "{{name}}", editable: true },
        summary: "{{name}}",
        // A product shows its fields alone.
        fields: widgets("makers").filter(({ name }) => name !== "body"),
      },
      entries("guides", false),
      entries("guides", true),
      entries("pages", false),
      entries("pages", true),
      { name: "mails", label: cms.mails, files: MAIL_KINDS.map(mail) },
      { name: "shop", label: cms.shop, files: [store] },
    ],
  };
}

/** How Sveltia edits a field. A texts' list is one text with a line each (form.ts). */
function toWidget(field: Field, path: string, shop: ShopToEdit): Widget {
  const { words, categories, hints } = shop;
  const { cms } = words;
  const choices = categories.map(({ slug, title }) => ({ value: slug, label: title }));
  const of = (name: string, kind: Kind, required = true): Widget =>
    toWidget({ ...kind, name, required }, `${path}.${field.name}`, shop);
  // README describes a maker's name, and much else has one.
  const isOtherName = field.name === "name" && path !== ("makers" satisfies FormatName);
  const own = describe(field, isOtherName ? undefined : hints.get(field.name), words);
  const isAboveVersions = path === ("products" satisfies FormatName) && isVariantField(field.name);
  const hint = [own, ...(isAboveVersions ? [cms.above_versions] : [])].filter(Boolean).join(" ");
  const labels: Readonly<Record<string, string>> = cms.fields;
  const base = {
    name: field.name,
    label: labels[field.name] ?? field.name,
    required: field.required,
    ...(hint && { hint }),
  };
  switch (field.kind) {
    case "line":
      return { ...base, widget: "string", ...(field.longest && { maxlength: field.longest }) };
    case "category":
      return { ...base, widget: "select", options: choices };
    case "product":
    case "amount":
    case "measure":
      return { ...base, widget: "string" };
    case "paragraphs":
      return { ...base, widget: "text" };
    case "texts":
      if (field.item.kind === "category") return { ...base, widget: "select", multiple: true, options: choices };
      return field.item.kind === "product" ? { ...base, widget: "list" } : { ...base, widget: "text" };
    case "picture":
      return { ...base, widget: "image", choose_url: false, ...uploadOf(field.types) };
    case "document":
      return { ...base, widget: "file", choose_url: false, accept: endings(documentTypes) };
    case "date":
      return { ...base, widget: "datetime", type: "date", format: "YYYY-MM-DD" };
    case "boolean":
      return { ...base, widget: "boolean", required: false };
    case "integer":
      return { ...base, widget: "number", value_type: "int" };
    case "choice":
      return { ...base, widget: "select", options: optionsOf(field.options, words) };
    case "group":
      return { ...base, widget: "object", fields: subfields(field.fields), collapsed: "auto" };
    case "list":
      if (field.item.kind === "group")
        return {
          ...base,
          widget: "list",
          fields: subfields(field.item.fields),
          collapsed: "auto",
          summary: summaryOf(field.item.fields),
        };
      return { ...base, widget: "list", field: of("item", field.item) };
    case "named": {
      const values = field.value.kind === "group" ? subfields(field.value.fields) : [of("value", field.value)];
      const [first] = values;
      const summary = `{{name}}${first ? `: {{${first.name}}}` : ""}`;
      return { ...base, widget: "list", fields: [of("name", field.key), ...values], collapsed: true, summary };
    }
  }

  function subfields(fields: readonly Field[]): Widget[] {
    return fields.map((each) => toWidget(each, `${path}.${field.name}`, shop));
  }
}

const summaryOf = (fields: readonly Field[]): string => {
  const shown = fields.find(({ kind }) => kind === "line") ?? fields[0];
  return shown ? `{{${shown.name}}}` : "";
};

/**
 * What Sveltia does with a photograph, as a phone or camera takes it, before it's sent: turns it upright, scales it down to twice
 * the largest picture of the shop (a screen may have two pixels for one of CSS), and leaves out its metadata. It decodes HEIC.
 */
const photographs = { raster_image: { format: "webp", quality: 90, width: 2 * LARGEST_PX, height: 2 * LARGEST_PX } };

/** HEIC, in which iPhones take photographs, and what else becomes a WebP picture. */
const photographTypes = [...pictureTypes, "heic", "heif"];

/** A picture's widget. Where it can't be WebP, such as the logo, it's sent as it is. */
const uploadOf = (types: readonly string[]): Settings =>
  types.includes("webp")
    ? { accept: endings(photographTypes) }
    : { accept: endings(types), media_libraries: { default: { config: { slugify_filename: true } } } };

const endings = (types: readonly string[]): string => types.map((type) => `.${type}`).join(",");

/** The values of a choice, each with the words that stand for it. */
function optionsOf(values: readonly string[], { cms }: AdminWords): { value: string; label: string }[] {
  const labels: Readonly<Record<string, string>> = cms.choices;
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

/** What to write into a field. A choice has no values to write: its hint names what can be chosen. */
function describe(field: Field, text: string | undefined, words: AdminWords): string {
  const { cms } = words;
  const options = field.kind === "choice" ? optionsOf(field.options, words) : [];
  const hint = options.reduce((hint, { value, label }) => hint?.replace(new RegExp(`\\b${value}\\b`), label), text);
  const form = field.kind === "texts" && field.item.kind === "line" ? cms.one_per_line : "";
  const slug =
    field.kind === "product" || (field.kind === "texts" && field.item.kind === "product") ? cms.file_name : "";
  return [hint ?? "", form, slug].filter(Boolean).map(asSentence).join(" ");
}

/** README's words stand in a table's cell, without a capital and a full stop. */
const asSentence = (text: string): string =>
  text.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/[^.!?]$/, "$&.");
