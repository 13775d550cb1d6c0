import { DatabaseSync } from "node:sqlite";
import type { Random } from "../../../../api/operation/demo/random.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";

/** An act, as it stands in the connector's file. */
interface ActRow {
  id: number;
  order_id: number;
  path: string;
  body: string;
  state: "open" | "done" | "refused" | "dropped";
  problem: string | null;
}

type Pieces = Order["fulfillments"][number]["lines"];

export const PDF = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");

/** The people and programs of an ERP, who know the connector's file and nothing else. */
export class Erp {
  readonly #db: DatabaseSync;
  readonly #random: Random;
  /** Refused acts that were tried once more. */
  readonly #triedAgain = new Set<number>();
  /** The SKU of each line that was ever read, since a restored shop may lack its order. */
  readonly #skus = new Map<number, string>();
  #references = 0;
  #turns = 0;

  /** `file` is the connector's, which it has made. */
  constructor(file: string, random: Random) {
    this.#db = new DatabaseSync(file, { timeout: 60_000 });
    this.#random = random;
  }

  close(): void {
    this.#db.close();
  }

  readonly orders = (): Order[] =>
    this.#rows<{ body: string }>("select body from orders order by id").map(({ body }) => JSON.parse(body));

  readonly acts = (): ActRow[] => this.#rows<ActRow>("select * from acts order by id");

  readonly shelf = (): Map<string, number> =>
    new Map(this.#rows<{ sku: string; pieces: number }>("select * from shelf").map(({ sku, pieces }) => [sku, pieces]));

  readonly changedAfter = (): number =>
    this.#rows<{ value: number }>("select value from numbers where name = 'changed_after'")[0]?.value ?? 0;

  #rows<Row>(sql: string): Row[] {
    return this.#db.prepare(sql).all() as Row[];
  }

  #transaction(work: () => void): void {
    this.#db.exec("begin immediate");
    try {
      work();
      this.#db.exec("commit");
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
  }

  /** Goods come, or are found missing. */
  readonly restock = (sku: string, pieces: number): void => {
    this.#db
      .prepare(
        "insert into shelf values (?, ?) on conflict (sku) do update set pieces = max(0, pieces + excluded.pieces)",
      )
      .run(sku, pieces);
  };

  /** Does one thing that somebody might, of each kind in turn, about the first order that it fits, from a random one on. */
  readonly act = (): void =>
    this.#transaction(() => {
      const orders = this.orders();
      for (const { lines } of orders) for (const { id, sku } of lines) this.#skus.set(id, sku ?? "");
      const kinds = [this.#ship, this.#end, this.#ship, this.#takeBack, this.#ship, this.#refund];
      const kind = kinds[this.#turns % kinds.length] ?? this.#ship;
      this.#turns += 1;
      const from = this.#random.between(0, orders.length);
      [...orders.slice(from), ...orders.slice(0, from)].some(kind);
    });

  /** Writes down what is to be done about an order. */
  readonly decide = (id: number, path: string, body: object): void => {
    const add = this.#db.prepare("insert or ignore into acts (order_id, path, body) values (?, ?, ?)");
    add.run(id, path, JSON.stringify(body));
  };

  readonly #reference = (prefix: string): string => {
    this.#references += 1;
    return `${prefix}-${this.#references}`;
  };

  /** What the ERP has decided of an order and wasn't dropped, by where it goes. */
  readonly #decided = ({ id }: Order, path: string) =>
    this.acts()
      .filter((act) => act.order_id === id && act.path === path && act.state !== "dropped")
      .map(({ body }) => JSON.parse(body));

  /** What the ERP hasn't sent of an order. */
  readonly #left = (order: Order): Pieces =>
    lessOf(
      order.lines.map(({ id, quantity, closed_quantity }) => ({ line_id: id, quantity: quantity - closed_quantity })),
      this.#decided(order, "fulfillments"),
    );

  /** Some of what isn't sent yet, or all of it, with its invoice. */
  readonly #ship = (order: Order): boolean => {
    if (
      order.status !== "processing" ||
      this.#decided(order, "cancel").length + this.#decided(order, "close").length > 0
    )
      return false;
    const left = this.#left(order);
    const shelf = this.shelf();
    const lines = this.#some(left).filter(
      ({ line_id, quantity }) => (shelf.get(skuOf(order, line_id)) ?? 0) >= quantity,
    );
    if (lines.length === 0) return false;
    for (const { line_id, quantity } of lines) this.restock(skuOf(order, line_id), -quantity);
    this.decide(order.id, "fulfillments", { reference: this.#reference("PACK"), lines });
    if (this.#decided(order, "invoices").length > 0) return true;
    const { currency, created_at, totals } = order;
    const issued_on = created_at.slice(0, 10);
    const number = this.#reference("INV");
    this.decide(order.id, "invoices", { number, kind: "invoice", issued_on, total: totals.total, currency, pdf: PDF });
    return true;
  };

  readonly #takeBack = (order: Order): boolean => {
    const out = lessOf(
      order.fulfillments.flatMap(({ lines }) => lines),
      this.#decided(order, "returns"),
    );
    const lines = this.#some(out);
    if (lines.length === 0) return false;
    for (const { line_id, quantity } of lines) this.restock(skuOf(order, line_id), quantity);
    this.decide(order.id, "returns", { reference: this.#reference("RMA"), lines });
    return true;
  };

  readonly #refund = (order: Order): boolean => {
    if (order.returns.length === 0 || this.#decided(order, "refunds").length > 1) return false;
    const left = Number(order.totals.total) - Number(order.totals.refunded);
    if (left < 10) return false;
    const amount = this.#random.chance(0.3) ? left.toFixed(2) : "10.00";
    this.decide(order.id, "refunds", { reference: this.#reference("R"), amount, reason: "Came back" });
    return true;
  };

  /** Cancels what wasn't sent, or closes what was sent in part. */
  readonly #end = (order: Order): boolean => {
    if (order.status !== "processing" || this.#decided(order, "cancel").length > 0) return false;
    const isSent = this.#decided(order, "fulfillments").length > 0;
    if (isSent && (order.fulfillments.length === 0 || this.#left(order).length === 0)) return false;
    this.decide(order.id, isSent ? "close" : "cancel", { reason: "Sold out" });
    return true;
  };

  /** A few of these pieces, mostly all. */
  readonly #some = (pieces: Pieces): Pieces =>
    this.#random.chance(0.5)
      ? pieces
      : pieces.slice(0, 1).map((line) => ({ ...line, quantity: this.#random.between(1, line.quantity) }));

  /** A person tries once more what was refused, and else drops it: a parcel is stopped, and its pieces are put back. */
  readonly mend = (): void =>
    this.#transaction(() => {
      const set = this.#db.prepare("update acts set state = ? where id = ?");
      for (const { id, path, body } of this.acts().filter(({ state }) => state === "refused")) {
        if (!this.#triedAgain.has(id)) {
          this.#triedAgain.add(id);
          set.run("open", id);
          continue;
        }
        set.run("dropped", id);
        if (path !== "fulfillments") continue;
        for (const { line_id, quantity } of JSON.parse(body).lines as Pieces)
          this.restock(this.#skus.get(line_id) ?? "", quantity);
      }
    });

  /** After a restore, what was refused before may be possible. */
  readonly forgetTries = (): void => this.#triedAgain.clear();
}

const skuOf = ({ lines }: Order, lineId: number): string => lines.find(({ id }) => id === lineId)?.sku ?? "";

/** What is left of pieces without those of parcels or returns. */
function lessOf(pieces: Pieces, parts: readonly { lines: Pieces }[]): Pieces {
  const left = new Map<number, number>();
  for (const { line_id, quantity } of pieces) left.set(line_id, (left.get(line_id) ?? 0) + quantity);
  for (const { line_id, quantity } of parts.flatMap(({ lines }) => lines))
    left.set(line_id, (left.get(line_id) ?? 0) - quantity);
  return [...left].filter(([, quantity]) => quantity > 0).map(([line_id, quantity]) => ({ line_id, quantity }));
}
