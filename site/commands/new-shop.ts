// `npm run new:shop`, as USAGE says.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { readArguments } from "../../api/read-arguments.ts";
import { ContentError } from "../content-schema/content-error.ts";
import { parseShop } from "../content-schema/shop.ts";
import { translations } from "../words/languages.ts";
import { converse } from "./new-content/dialogue.ts";
import { type Answers, type AskOption, answerBy, askShop, OPTIONS } from "./new-shop/answers.ts";
import { readRates } from "./new-shop/countries.ts";
import { readEnvFile, withSetting, writeEnvFile } from "./new-shop/env-file.ts";
import { copyContent, ensureFree, makeShop, pathOf } from "./new-shop/shop-folder.ts";
import { writeStarterPages } from "./new-shop/starter-pages.ts";
import { textLanguage, writeStoreFile } from "./new-shop/store-file.ts";

const USAGE = `Usage: npm run new:shop -- FOLDER

Makes a shop of your own in FOLDER, a Git repository beside this checkout, and has .env lead there. It asks what it needs, and
writes nothing before the last answer. Without a terminal, options answer:

  --name "Corner Till" --country CH --email hello@till.example --phone "+41 44 000 00 00"   without which it can't be made
  --currency CHF --language de-CH --tax-rate 8.1                   otherwise those of the country, where they are known
  --sells-to businesses --prices "with tax"                        otherwise businesses, and prices without tax
  --legal-name "Corner Till GmbH" --street "Musterweg 1" --postal-code 8000 --city Zürich --registration CHE-000.000.000

  npm run new:shop -- FOLDER --from content   takes over the shop that is in content/ of this checkout, or of an older one
                                              (--from ../old/content), with its history`;

const ROOT = join(import.meta.dirname, "..", "..");
const ENV = join(ROOT, ".env");

/** Where `npm start` shows the shop. */
const localAddress = () => `http://127.0.0.1:${process.env["PORT"] || parseEnv(readEnvFile(ENV))["PORT"] || 8080}`;

/** Writes a new shop's files. */
function writeShop(folder: string, answers: Answers): void {
  const store = writeStoreFile(answers, localAddress());
  parseShop(store);
  const pages = join(folder, "content", "pages");
  mkdirSync(pages, { recursive: true });
  writeFileSync(join(folder, "content", "store.yaml"), store);
  for (const [file, text] of writeStarterPages(answers)) writeFileSync(join(pages, file), text);
}

/** The folder whose content is taken over. */
function findFormer(written: string): string {
  const former = [resolve(ROOT, written), pathOf(written)].find((folder) => existsSync(join(folder, "store.yaml")));
  if (former !== undefined) return former;
  throw new ContentError(`--from ${written} has no store.yaml. Name a shop's content folder: --from content`);
}

/** The lines of .env that lead to a shop. A shop that was in the checkout keeps its database. */
function leadTo(folder: string, keepsData: boolean): string {
  const lines = readEnvFile(ENV);
  const written = withSetting(lines, "CONTENT_ROOT", folder);
  if (written === undefined)
    throw new ContentError(
      `.env can't have the path ${folder}, because of its quotes or line ends. Name another folder.`,
    );
  const hasData = Boolean(process.env["DATA_DIR"] || parseEnv(lines)["DATA_DIR"]);
  return (
    (keepsData && !hasData && existsSync(join(ROOT, ".data")) && withSetting(written, "DATA_DIR", ".data")) || written
  );
}

/** Builds would go on reading what these lead to. */
function ensureUnset(): void {
  const settings = { ...parseEnv(readEnvFile(ENV)), ...process.env };
  if (settings["CONTENT_REPOSITORY"])
    throw new ContentError(
      `CONTENT_REPOSITORY is set, so this checkout builds what is in ${settings["CONTENT_REPOSITORY"]}. Take it out of .env, or use another checkout.`,
    );
  if (process.env["CONTENT_ROOT"])
    throw new ContentError(
      `The variable CONTENT_ROOT is set, and wins over .env: \`unset CONTENT_ROOT\`, and run this again.`,
    );
}

/** What is said of a language without words or texts of its own; nothing of others. */
function adviseLanguage(locale: string): string[] {
  const { language } = new Intl.Locale(locale);
  if (language === textLanguage(locale)) return [];
  const what = language in translations ? "The pages are" : "The pages, and the fixed words of the shop, are";
  const words = language in translations ? "" : ", and words into content/words.yaml";
  return [`${what} in English. Translate content/pages/${words}.`];
}

const { values, positionals } = readArguments(USAGE, { ...OPTIONS, from: { type: "string" } }, [1]);
const { from, ...given } = values;
try {
  const folder = pathOf(positionals[0] ?? "");
  ensureUnset();
  ensureFree(folder, ROOT);
  const former = from === undefined ? undefined : findFormer(from);
  const isInside = former === join(ROOT, "content");
  const lines = leadTo(folder, isInside);
  let advice: string[] = [];
  if (former !== undefined) {
    makeShop(folder, "Take over the shop", (made) => copyContent(former, made), dirname(former));
  } else {
    const rates = readRates(join(ROOT, "content", "store.yaml"));
    const talk = (ask: AskOption) => askShop(ask, rates);
    const answers = process.stdin.isTTY
      ? await converse((ask) => talk(answerBy(given, ask)))
      : await talk(answerBy(given, undefined));
    makeShop(folder, `Begin the shop ${answers.name}`, (made) => writeShop(made, answers));
    advice = adviseLanguage(answers.locale);
  }
  writeEnvFile(ENV, lines);
  console.log(
    [
      `\nMade ${folder}, a Git repository with your content/. CONTENT_ROOT in .env leads there.`,
      ...advice,
      "Next:",
      `  npm start                              shows it at ${localAddress()}`,
      ...(former === undefined
        ? [
            "  content/store.yaml                     write base_url, your address, and what is `?` still",
            "  npm run import:catalogue -- FILE       brings products from another shop; npm run new product asks for one",
          ]
        : [
            "  git status                             shows what is changed in this checkout, which needs no content now",
          ]),
      "  npm run check:content                  lists what is still to be done",
    ].join("\n"),
  );
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
