import { readFile } from "node:fs/promises";
import { readDatabaseAddress } from "../env.ts";
import { COMMAND, type Db, openDatabase } from "../platform/database/pool.ts";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { COMMAND as BY_COMMAND } from "../selling/orders/acts.ts";
import { readShopFacts } from "../selling/shop/queries.ts";
import { type FaultyLine, parsePiecesList } from "../selling/stock/pieces-csv.ts";
import {
  findHindrance,
  MOST_PIECES,
  type Moved,
  onShelf,
  parsePieces,
  type Shelf,
  type ShelfLevel,
  setShelf,
  showShelf,
} from "../selling/stock/shelf.ts";

const USAGE = `Usage: npm run stock -- set SKU PIECES, such as: npm run stock -- set TAV-PIP-2D 14

  show [SKU …]   what is free to sell: of all that is counted, or of these
  set SKU 14     14 pieces are on the shelf now: those sold and not sent yet too
  set SKU none   it isn't counted any more: content/ alone says whether it can be had
  read FILE      the same for many: a CSV file whose first line names the columns, such as "sku,pieces", and below it a line
                 for each SKU. One whose pieces are blank stays as it is

Count with no parcel packed that isn't recorded as sent.`;

/** Why nothing is counted by hand here. */
const HINDRANCES: Readonly<Record<NonNullable<ReturnType<typeof findHindrance>>, string>> = {
  erp_counts: "The partner's system counts the stock of this shop: `erp: owns` in store.yaml says so.",
  kept_for_ever:
    "Write `cancel_after_days` below `payment: transfer` in store.yaml first, and publish it: orders that nobody pays would hold their pieces for ever.",
};

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
    const { stored, unknown, moved } =
      shelves === undefined
        ? { ...(await showShelf(db, words)), moved: [] }
        : await setShelf(db, shelves, BY_COMMAND.name);
    const lines = [
      ...stored.map(describe),
      ...unknown.map((sku) => `${sku} is left: no version has this SKU.`),
      ...moved.map(describeMoved),
    ];
    console.log(lines.length > 0 ? lines.join("\n") : "Nothing is counted yet: npm run stock -- set SKU PIECES");
    if (unknown.length + moved.length > 0) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
});

/** What is to be stored; undefined where it is only shown. Throws an error that says what is wrong. */
async function readShelves(action: string, words: readonly string[]): Promise<Shelf[] | undefined> {
  if (action === "show") return undefined;
  const [first = "", second = "", ...others] = words;
  if (action === "set" && second !== "" && others.length === 0) return [{ sku: first, shelf: readPieces(second) }];
  if (action !== "read" || first === "" || second !== "") throw new Error(USAGE);
  const text = await readFile(first, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${first} can't be read: ${error.code === "ENOENT" ? "there is no such file" : error.message}.`);
  });
  return readCsv(text.replace(/^\uFEFF/, ""), first);
}

/** Throws an error with the first line that can't be read. */
function readCsv(text: string, file: string): Shelf[] {
  const { shelves, faults } = parsePiecesList(text);
  const [first] = faults;
  if (first) throw new Error(describeFault(first, file));
  return shelves;
}

function describeFault({ line, fault, written }: FaultyLine, file: string): string {
  const place = `${file}:${line}`;
  switch (fault) {
    case "head":
      return `${place} must name the columns, such as "sku,pieces".`;
    case "empty":
      return `${file} has no line below "sku,pieces".`;
    case "quotes":
      return `${place}: A quote is open, or stands amidst a text. Close or delete it.`;
    case "row":
      return `${place}: Write a SKU and its pieces: TAV-PIP-2D,14`;
    case "twice":
      return `${place}: ${written} stands in an earlier line already.`;
    case "pieces":
      return `${place}: ${describePieces(written)}`;
  }
}

function readPieces(text: string): number | null {
  const pieces = parsePieces(text);
  if (pieces === undefined) throw new Error(describePieces(text));
  return pieces;
}

function describePieces(text: string): string {
  return `Write the pieces as a whole number from 0 to ${MOST_PIECES}, or none. You wrote “${text}”.`;
}

/** Throws where the ERP counts, and where unpaid orders would hold pieces for ever. */
async function refuseUnlessCounting(db: Db): Promise<void> {
  const hindrance = findHindrance(await readShopFacts(db));
  if (hindrance) throw new Error(HINDRANCES[hindrance]);
}

function describe({ sku, count, available, ordered, restock_on }: ShelfLevel): string {
  if (count === null || available === null) return `${sku} isn't counted.`;
  const sold = ordered > 0 ? `, ${ordered} of them ordered and not sent` : "";
  const expected = restock_on ? `, more on ${restock_on}` : "";
  return `${sku}: ${available} free to sell (${onShelf({ available, ordered })} on the shelf${sold})${expected}.`;
}

/** Of a list that /admin/stock wrote, in which each row says when it was written. */
function describeMoved({ sku, since }: Moved): string {
  return `${sku} is left: since the list was written, ${since.parcels.length > 0 ? "a parcel with it was recorded" : "somebody has counted it"}. Count it again, and write: npm run stock -- set ${sku} PIECES`;
}
