export default {
  /** Word endings that the search ignores, as a regular expression. */
  endings: "(?:es|(?<!s)s|e|ed|ing)$",
  /** The word before one of these is what a query or title is about: `cable for printers`. The search ignores them. */
  prepositions: "for with without to from in on of at by",
  /** Other words that the search ignores. */
  ignored: "and or the a an my our your is are do does can that which what how i we you need want",
  /** A specification's value that says it doesn't apply, as a regular expression. */
  none: "^(?:none|no)\\b",
  /** Words that mean the same, and what makes them true of a product though it doesn't say them. */
  wider: [{ words: "cordless wireless", narrower: "bluetooth" }],
  questions: {
    /** Words besides that say nothing of what a question is about. */
    ignored:
      "who whom whose where when why if about as than then there here have has had be been was were will would could should may might must shall did me us you it its this these those they them their he she not no any some just please tell know get got like something anything between more than happen happens offer s d t m ll re ve don won",
    /** What means the same in any shop. */
    synonyms: [
      ["postage", "shipping", "delivery", "deliver", "dispatch", "parcel"],
      ["return", "send back", "take back", "way back"],
      ["refund", "money back"],
      ["cancel", "withdraw"],
      ["invoice", "bill"],
      ["VAT", "tax"],
      ["customs", "duty"],
      ["cost", "price", "how much", "charge"],
      ["pay", "payment", "paid"],
      ["how long", "period", "days", "years"],
      ["guarantee", "warranty"],
      ["faulty", "broken", "broke", "defective", "fails"],
      ["quotation", "quote"],
      ["opening hours", "Monday to Friday"],
      ["consumer", "private person", "private customer"],
      ["company", "business", "firm"],
      ["contact", "phone", "telephone", "call", "ring"],
      ["privacy", "data"],
    ],
    /** A regular expression: a question about an order that was placed, which no page answers. */
    own_order:
      "\\b(?:where(?:['’]s| is| are)|track|status|(?:when|has|have|did)\\b.*\\b(?:my|our))\\b.*\\b(?:orders?|parcels?|packages?|shipments?|delivery|goods)\\b",
  },
  /** Regular expressions: what people write before an amount, between two, and for what is in stock. */
  wishes: {
    most: "under|below|less than|cheaper than|up to|at most|(?:no|not) more than|max(?:imum)?\\.?",
    least: "over|above|more than|at least|from|min(?:imum)?\\.?",
    between: "between|from",
    and: "and|to",
    in_stock: "in stock|available (?:now|immediately|today)|ready to ship",
  },
};
