export default {
  /** Word endings that the search ignores, as a regular expression. */
  endings: "(?:e?s|e|ed|ing)$",
  /** The word before one of these is what a query or title is about: `cable for printers`. The search ignores them. */
  prepositions: "for with without to from in on of at by",
  /** Other words that the search ignores. */
  ignored: "and or the a an my our your is are do does can that which what how i we you need want",
  /** A specification's value that says it doesn't apply, as a regular expression. */
  none: "^(?:none|no)\\b",
};
