/** The contrast ratio of two `#rrggbb` colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes two colours; `weight`, from 0 to 1, is the part of `other`. */
export function mix(colour: string, other: string, weight: number): string {
  const to = channels(other);
  const mixed = channels(colour).map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * weight));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** WCAG 2.2, relative luminance of an sRGB colour: 0 for black, 1 for white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue, 0 to 255. */
const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
