/** Options that schema.org and Google Merchant Center have a property of the same name for, by name in lower case. */
const properties = new Map([
  ["colour", "color"],
  ["color", "color"],
  ["farbe", "color"],
  ["size", "size"],
  ["größe", "size"],
  ["grösse", "size"],
  ["material", "material"],
  ["pattern", "pattern"],
  ["muster", "pattern"],
]);

/** The property for an option of versions, `color` for `Colour`; undefined if there is none. */
export const optionProperty = (name: string): string | undefined => properties.get(name.toLowerCase());

/** Whether an option is a size of some kind, such as a shoe's: the wrong one is sent back, so nobody should guess it. */
export const isSize = (name: string): boolean =>
  optionProperty(name) === "size" || /(?:^|\s)size$|gr(?:öß|öss)e$/i.test(name);
