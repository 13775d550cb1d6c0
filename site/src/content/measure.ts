/** A specification's value as a number with its unit, by which products are sorted; the unit is empty where there is none. */
export interface Measure {
  amount: number;
  unit: string;
}

/** `readMeasure("1,200 mm/s, vendor figure")` is 1200 in `mm/s`; undefined for a text that doesn't begin with a number. */
export function readMeasure(value: string): Measure | undefined {
  const [, number, unit = ""] = /^(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\d.,])\s*([^\s,;(]*)/.exec(value) ?? [];
  return number === undefined ? undefined : { amount: Number(number.replaceAll(",", "")), unit };
}
