import { z } from "astro/zod";
import { parse } from "yaml";
import { payableDigits } from "../../../api/contract/currencies.ts";
import { displayMoney, formatMoney, readAmount } from "../../../api/contract/money.ts";
import { isVariantField } from "../../content-schema/product.ts";
import type { Field, Kind } from "../forms/fields.ts";
import { type Form, type FormGroup, isEmpty } from "../forms/form.ts";
import { type FileForm, type FileFormat, readFile as readForm } from "../forms/writer.ts";
import type { AdminWords } from "../words.ts";
import { readDrafts } from "./drafts.ts";
import { readFile } from "./git.ts";
import { Refused } from "./refusals.ts";

/** In which amounts are, and how they're shown. */
export interface Money {
  currency: string;
  locale: string;
}

const ShopMoney = z.object({
  currency: z.string().refine((code) => Intl.supportedValuesOf("currency").includes(code)),
  locale: z.string().refine((tag) => Intl.NumberFormat.supportedLocalesOf(tag).length > 0),
});

const ErpOwns = z.object({ erp: z.object({ owns: z.array(z.string()) }) });

/** Columns of prices and stock that a partner's ERP may decide in place of the files. */
export type OwnedColumn = "price" | "availability";

/** The shop's money by store.yaml of the drafts; undefined while that has mistakes. */
export const readMoney = async (repository: string): Promise<Money | undefined> =>
  ShopMoney.safeParse(await readStore(repository)).data;

/** The columns that the partner's ERP decides, by store.yaml of the drafts. */
export async function readOwned(repository: string): Promise<OwnedColumn[]> {
  const owns = ErpOwns.safeParse(await readStore(repository)).data?.erp.owns ?? [];
  return [
    ...(owns.includes("price") ? (["price"] as const) : []),
    ...(owns.includes("stock") ? (["availability"] as const) : []),
  ];
}

/** What store.yaml of the drafts says; undefined where that isn't YAML. */
async function readStore(repository: string): Promise<unknown> {
  const store = await readFile(repository, await readDrafts(repository), "content/store.yaml");
  try {
    return parse(store?.bytes.toString() ?? "");
  } catch {
    return undefined;
  }
}

/** Why what somebody typed can't be stored, with each reading of it: a sentence that begins with the field's label. */
export function sayUnclear({ refused }: AdminWords, label: string, typed: string, { currency, locale }: Money): string {
  const [first, second] = readAmount(typed, currency);
  if (first === undefined || second === undefined) {
    const example = formatMoney(1_890_000n, payableDigits(currency));
    return refused.no_amount({ label, typed, example });
  }
  const shown = (amount: string) => displayMoney(amount, currency, locale);
  return refused.two_amounts({ label, typed, shown: shown(first), first, other: shown(second), second });
}

/**
 * What an editor has typed into a form, as it's stored: amounts in one way. `base` is the file's text before. Throws Refused for an
 * amount that can't be read or has two readings, and for a field of each version in the product itself; and Unreadable. What the
 * file says already is left alone: the check names it.
 */
export async function storeTyped(
  repository: string,
  format: FileFormat,
  form: FileForm,
  base: string | undefined,
): Promise<FileForm> {
  const { fields } = format;
  const before = base === undefined ? {} : readForm(format, base).values;
  refuseAboveVersions(fields, form.values, before);
  const own = ShopMoney.safeParse(form.values).data;
  const money = own ?? (await readMoney(repository));
  return money === undefined ? form : { ...form, values: storeAmounts(fields, form.values, before, money) };
}

/** Refuses what each version has of its own, such as a price, in the product as a whole. */
function refuseAboveVersions(fields: readonly Field[], form: FormGroup, before: FormGroup): void {
  const strays = ({ variants, ...values }: FormGroup) =>
    Array.isArray(variants) && variants.length > 0
      ? fields.filter((field) => isVariantField(field.name) && !isEmpty(field, values[field.name]))
      : [];
  const known = new Set(strays(before).map(({ name }) => name));
  const stray = strays(form).find(({ name }) => !known.has(name));
  if (stray !== undefined)
    throw new Refused((words) => words.refused.above_versions({ label: labelOf(words, [stray.name]) }));
}

function storeAmounts(fields: readonly Field[], form: FormGroup, before: FormGroup, money: Money): FormGroup {
  const root: Kind = { kind: "group", fields, short: undefined };
  const known = new Set<string>();
  mapAmounts(root, before, [], (amount) => {
    known.add(amount);
    return amount;
  });
  return mapAmounts(root, form, [], (typed, place, by) => {
    if (typed === "" || known.has(typed)) return typed;
    if (by === "weight" || by === "pieces") {
      const number = by === "weight" ? readGrams(typed) : readPieces(typed);
      if (number !== undefined) return number;
      throw new Refused((words) => words.refused[`no_${by}`]({ label: labelOf(words, place), typed }));
    }
    const [amount, another] = readAmount(typed, money.currency);
    if (amount !== undefined && another === undefined) return amount;
    throw new Refused((words) => sayUnclear(words, labelOf(words, place), typed, money));
  }) as FormGroup;
}

/** Grams as somebody types them: `2000`, `2.000 g`, `2 kg`, `2,5 kg`. Three digits after a sign may be thousandths of a kilogram. */
function readGrams(typed: string): string | undefined {
  const [, whole = "", decimals = ""] = /^(\d{1,5})(?:[.,](\d{1,2}))? ?kg$/i.exec(typed) ?? [];
  if (whole === "") return readPieces(typed.replace(/ ?g$/i, ""));
  const grams = Number(whole) * 1000 + Number(decimals.padEnd(3, "0"));
  return grams === 0 ? undefined : String(grams);
}

/** A whole number above zero, which may have signs between its thousands. */
function readPieces(typed: string): string | undefined {
  const isGrouped = /^[1-9]\d{0,2}([ .,'’\u00a0\u202f])\d{3}(?:\1\d{3})?$/.test(typed);
  const digits = isGrouped ? typed.replaceAll(/\D/g, "") : typed;
  return /^[1-9]\d{0,8}$/.test(digits) ? digits : undefined;
}

type Place = readonly (string | number)[];

/**
 * A form with other amounts, each by what it is and its place: `shipping`, `zones`, 2, `price`. `by` says what the measures of a
 * delivery method are.
 */
function mapAmounts(
  kind: Kind,
  form: Form,
  place: Place,
  write: (amount: string, place: Place, by?: Form) => string,
  by?: Form,
): Form {
  if (form === undefined || form === null) return form;
  if (kind.kind === "amount") return write(String(form).trim(), place);
  if (kind.kind === "measure") return write(String(form).trim(), place, by);
  if (kind.kind === "list" && Array.isArray(form))
    return form.map((item, index) => mapAmounts(kind.item, item, [...place, index + 1], write, by));
  if (kind.kind !== "group" || typeof form !== "object" || Array.isArray(form)) return form;
  const own = form["by"] ?? by;
  const entries = kind.fields.flatMap((field) =>
    field.name in form ? [[field.name, mapAmounts(field, form[field.name], [...place, field.name], write, own)]] : [],
  );
  return { ...form, ...Object.fromEntries(entries) };
}

/** A field's labels in the form: `Delivery, Zones 2, Price`. */
const labelOf = ({ cms }: AdminWords, place: Place): string =>
  place.reduce<string>((label, name) => {
    if (typeof name === "number") return `${label} ${name}`;
    return `${label}${label && ", "}${(cms.fields as Readonly<Record<string, string>>)[name] ?? name}`;
  }, "");
