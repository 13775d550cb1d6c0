// Lists as the index has them, without an object for each item.

/** The places of a list's items, in the items' order. */
export function inOrder<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): number[] {
  const placed = items.map((item, place) => ({ item, place }));
  return placed.sort((one, other) => compare(one.item, other.item)).map(({ place }) => place);
}

/** Where each item ends if they stand one after the other. */
export function endsOf(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  let end = 0;
  return Uint32Array.from(lengths, (length) => {
    end += length;
    return end;
  });
}

/** Texts one after the other in UTF-8, and where each ends, in bytes. */
export function packTexts(texts: readonly string[]) {
  const joined = texts.join("");
  const bytes = new TextEncoder().encode(joined);
  const isAscii = bytes.byteLength === joined.length;
  return { bytes, ends: endsOf(texts.map((text) => (isAscii ? text.length : utf8Length(text)))) };
}

const utf8Length = (text: string) => new TextEncoder().encode(text).byteLength;

/** Gives texts numbers, from 0. */
export class Numbering {
  #numbers = new Map<string, number>();
  #texts: string[] = [];

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? "";
  }

  /** The numbers in the order of their texts, and the place of each number among these. */
  sort(): { sorted: number[]; placeOf: Uint32Array } {
    const sorted = [...this.#texts].sort().map((text) => this.#numbers.get(text) ?? 0);
    const placeOf = new Uint32Array(sorted.length);
    for (const [place, number] of sorted.entries()) placeOf[number] = place;
    return { sorted, placeOf };
  }
}

/** A list of whole numbers that grows, in 4 bytes each. */
export class Numbers {
  #numbers = new Uint32Array(1_024);
  length = 0;

  add(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Uint32Array(this.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  toArray(): Uint32Array<ArrayBuffer> {
    return this.#numbers.subarray(0, this.length);
  }
}

/** A list of whole numbers for each key, which is one itself. */
export class Lists {
  #keys = new Numbers();
  #items = new Numbers();

  add(key: number, item: number): void {
    this.#keys.add(key);
    this.#items.add(item);
  }

  /** The lists of these keys one after the other, and where each ends. */
  inOrder(keys: readonly number[]): { lists: Uint32Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> } {
    const counts = new Uint32Array(keys.length);
    const [all, items] = [this.#keys.toArray(), this.#items.toArray()];
    for (const key of all) counts[key] = (counts[key] ?? 0) + 1;
    const ends = endsOf(keys.map((key) => counts[key] ?? 0));
    const next = new Uint32Array(keys.length);
    for (const [place, key] of keys.entries()) next[key] = (ends[place] ?? 0) - (counts[key] ?? 0);
    const lists = new Uint32Array(items.length);
    for (const [place, key] of all.entries()) {
      const at = next[key] ?? 0;
      lists[at] = items[place] ?? 0;
      next[key] = at + 1;
    }
    return { lists, ends };
  }
}
