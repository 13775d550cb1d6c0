import { readFile } from "node:fs/promises";
import { readDatabaseAddress } from "../env.ts";
import { COMMAND, type Db, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { readShopFacts } from "../selling/shop/queries.ts";
import { type Shelf, type ShelfLevel, setShelf, showShelf } from "../selling/stock/shelf.ts";

const USAGE = `Usage: npm run stock -- set SKU PIECES, such as: npm run stock -- set TAV-PIP-2D 14

  show [SKU …]   what is free to sell: of all that is counted, or of these
  set SKU 14     14 pieces are on the shelf now: those sold and not sent yet too
  set SKU none   it isn't counted any more: content/ alone says whether it can be had
  read FILE      the same for many: a CSV file with a line "sku,pieces", and below it one line each

Count with no parcel packed that isn't recorded as sent.`;

const MOST_PIECES = 1_000_000;

/** Words after the command's name: many SKUs to show. */
const WORDS = Array.from({ length: 1_000 }, (_, index) => index + 1);

/** Counts what is on the shelf, and shows what is free to sell. */
await runCommand(async () => {
  const { positionals } = readArguments(USAGE, {}, WORDS);
  const [action = "", ...words] = positionals;
  const shelves = await readShelves(action, words);
  const db = openDatabase(readDatabaseAddress(process.env), { timeouts: COMMAND });
  try {
    if (shelves !== undefined) await refuseUnlessCounting(db);
    const { stored, unknown } = shelves === undefined ? await showShelf(db, words) : await setShelf(db, shelves);
    const lines = [...stored.map(describe), ...unknown.map((sku) => `${sku} is left: no version has this SKU.`)];
    console.log(lines.length > 0 ? lines.join("\n") : "Nothing is counted yet: npm run stock -- set SKU PIECES");
    if (unknown.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
});

/** What is to be stored; undefined where it is only shown. Throws an error that says what is wrong. */
async function readShelves(action: string, words: readonly string[]): Promise<Shelf[] | undefined> {
  if (action === "show") return undefined;
  const [first = "", second = "", ...others] = words;
  if (action === "set" && second !== "" && others.length === 0) return [{ sku: first, shelf: readPieces(second, "") }];
  if (action !== "read" || first === "" || second !== "") throw new Error(USAGE);
  const text = await readFile(first, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${first} can't be read: ${error.code === "ENOENT" ? "there is no such file" : error.message}.`);
  });
  return readCsv(text.replace(/^\uFEFF/, ""), first);
}

function readCsv(text: string, file: string): Shelf[] {
  const [head = "", ...lines] = text.split(/\r?\n/);
  const separator = [",", ";", "\t"].find((sign) => head.includes(sign)) ?? ",";
  const cells = (line: string) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const names = cells(head).map((name) => name.toLowerCase());
  if (names.length !== 2 || names[0] !== "sku" || names[1] !== "pieces")
    throw new Error(`${file}:1 must be "sku,pieces".`);
  if (lines.every((line) => line.trim() === "")) throw new Error(`${file} has no line below "sku,pieces".`);
  const seen = new Map<string, number>();
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `${file}:${index + 2}: `;
    const [sku = "", pieces = "", ...others] = cells(line);
    if (sku === "" || others.length > 0) throw new Error(`${place}Write a SKU and its pieces: TAV-PIP-2D,14`);
    const before = seen.get(sku);
    if (before !== undefined) throw new Error(`${place}${sku} stands in line ${before} already.`);
    seen.set(sku, index + 2);
    return { sku, shelf: readPieces(pieces, place) };
  });
}

function readPieces(text: string, place: string): number | null {
  if (text === "none") return null;
  const pieces = /^\d{1,7}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (pieces > MOST_PIECES)
    throw new Error(
      `${place}Write the pieces as a whole number from 0 to ${MOST_PIECES}, or none. You wrote “${text}”.`,
    );
  return pieces;
}

/** Throws where the ERP counts, and where unpaid orders would hold pieces for ever. */
async function refuseUnlessCounting(db: Db): Promise<void> {
  const { erp, transfer } = await readShopFacts(db);
  if (erp.owns.includes("stock"))
    throw new Error("The partner's system counts the stock of this shop: `erp: owns` in store.yaml says so.");
  if (transfer && transfer.cancel_after_days === null)
    throw new Error(
      "Write `cancel_after_days` below `payment: transfer` in store.yaml first, and publish it: orders that nobody pays would hold their pieces for ever.",
    );
}

function describe({ sku, count, available, ordered, restock_on }: ShelfLevel): string {
  if (count === null || available === null) return `${sku} isn't counted.`;
  const sold = ordered > 0 ? `, ${ordered} of them ordered and not sent` : "";
  const expected = restock_on ? `, more on ${restock_on}` : "";
  return `${sku}: ${available} free to sell (${available + ordered} on the shelf${sold})${expected}.`;
}
