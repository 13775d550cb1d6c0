/**
 * Answers with a text of any length. Made as one string and encoded as a whole, the longest of 50,000 products, 120 MB, would need
 * almost 1 GB for a moment.
 */
export function answerInPieces(pieces: AsyncGenerator<string>, type: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

/** Writes the facts as a JSON object that ends with a list: its name, and what `describe` makes of each item. */
export async function* writeJson<Item>(
  facts: object,
  name: string,
  items: readonly Item[],
  describe: (item: Item) => Promise<object>,
): AsyncGenerator<string> {
  yield JSON.stringify({ ...facts, [name]: [] }).slice(0, -"]}".length);
  for (const [index, item] of items.entries()) yield (index > 0 ? "," : "") + JSON.stringify(await describe(item));
  yield "]}";
}
