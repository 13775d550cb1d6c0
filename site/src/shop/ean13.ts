// GS1 General Specifications, 5.2.1: seven modules for each digit; the parities of the left six encode the first digit.
const odd = [
  "0001101",
  "0011001",
  "0010011",
  "0111101",
  "0100011",
  "0110001",
  "0101111",
  "0111011",
  "0110111",
  "0001011",
];
const right = odd.map((modules) => modules.replace(/./g, (module) => (module === "1" ? "0" : "1")));
const even = right.map((modules) => [...modules].reverse().join(""));
const firsts = ["OOOOOO", "OOEOEE", "OOEEOE", "OOEEEO", "OEOOEE", "OEEOOE", "OEEEOO", "OEOEOE", "OEOEEO", "OEEOEO"];

/** The quiet zones that a scanner needs, in modules. */
const quietBefore = 11;
const quietAfter = 7;

/** The width of a symbol in modules: 95 for bars and spaces, plus the quiet zones. */
export const symbolWidth = quietBefore + 95 + quietAfter;

/** A GTIN-13 as 95 modules, `1` for a bar and `0` for a space. */
export function ean13Modules(gtin: string): string {
  const digits = [...gtin].map(Number);
  const parities = firsts[digits[0] ?? 0] ?? "";
  const before = digits.slice(1, 7).map((digit, place) => (parities[place] === "O" ? odd : even)[digit]);
  const after = digits.slice(7).map((digit) => right[digit]);
  return `101${before.join("")}01010${after.join("")}101`;
}

/** The bars as an SVG path, one unit per module; the guard bars are longer. Each begins relative to the last one's corner. */
export function ean13Path(gtin: string, height: number, guardHeight: number): string {
  const bars = [...ean13Modules(gtin).matchAll(/1+/g)];
  return bars
    .map(({ index, 0: bar }, place) => {
      const isGuard = index < 3 || (index > 44 && index < 50) || index > 91;
      const last = bars[place - 1];
      const move = last ? `m${index - last.index}` : `M${quietBefore}`;
      return `${move} 0h${bar.length}v${isGuard ? guardHeight : height}h-${bar.length}z`;
    })
    .join("");
}
