import fc from "fast-check";

/** Addresses with tags, dots and domains of other scripts, each in the form in which the shop stores it. */
const ADDRESSES = [
  ["Ada.Novak", "example.com", "example.com"],
  ["ada+till", "shop.čapek.example", "shop.xn--apek-fua.example"],
  ["o'neil_7", "bücher.example", "xn--bcher-kva.example"],
  ["sales", "例え.example", "xn--r8jz45g.example"],
  ["a", "نامه\u200cای.example", "xn--mgba3gch31f060k.example"],
] as const;

const HIDDEN = ["\u200b", "\u200e", "\u200f", "\u2060", "\ufeff", "\u00ad", "\u202a", "\u2069", "\ufe0f"] as const;

const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));

/** Spellings of one address as people type and paste it, and the form in which the shop stores it, small letters aside. */
export const spelledAddresses = fc
  .tuple(
    fc.constantFrom(...ADDRESSES),
    fc.array(
      fc.record({
        isAscii: fc.boolean(),
        isDecomposed: fc.boolean(),
        wide: fc.array(fc.nat(60), { maxLength: 10 }),
        capital: fc.array(fc.nat(60), { maxLength: 10 }),
        hidden: fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...HIDDEN)), { maxLength: 5 }),
        around: fc.constantFrom(["", ""], [" ", "\n"], ["\u00a0", "\u200d"], ["\u202a", "\u202c "], ["", ".\u2800"]),
      }),
      { minLength: 2, maxLength: 2 },
    ),
  )
  .map(([[mailbox, domain, ascii], ways]) => ({
    stored: `${mailbox}@${ascii}`,
    spellings: ways.map((way) => {
      const address = `${mailbox}@${way.isAscii ? ascii : domain}`;
      const letters = [...(way.isDecomposed ? address.normalize("NFD") : address)].map((letter, index) => {
        const cased = way.capital.includes(index) ? letter.toUpperCase() : letter;
        // A joiner counts between its own letters alone.
        const hidden = way.hidden.flatMap(([at, each]) => (at === index && domain !== ADDRESSES[4][1] ? each : []));
        return hidden.join("") + (way.wide.includes(index) ? wide(cased) : cased);
      });
      return way.around.join(letters.join(""));
    }),
  }));
