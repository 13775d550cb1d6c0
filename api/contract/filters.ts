/** Of Liquid's own filters, those that the private pages' templates may use. Its `raw` is missing: all output is escaped. */
export const LIQUID_FILTERS = ["append", "prepend", "plus", "minus"] as const;

/** The filters that the API adds. Only `country_options` outputs HTML, and it escapes what it is given. */
export const OWN_FILTERS = [
  "t",
  "isolate",
  "money",
  "date",
  "weekday",
  "country",
  "places",
  "country_options",
  "markdown_path",
] as const;
