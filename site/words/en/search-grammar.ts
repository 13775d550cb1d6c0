/** What people ask the whereabouts of, and of their payment; what they ask of it; and what asks for something else. */
const OWN = String.raw`(?:(?:my|our)\s+(?:\w+\s+)?(?:orders?|parcels?|packages?|shipments?|deliver(?:y|ies)|goods|payment|money|transfer)|(?:goods|things|items|what)\s+(?:that\s+)?(?:i|we)\s+ordered)`;
const STATE =
  "where|news|arriv(?:e|es|ed|ing)|ship(?:s|ped)?|sent|dispatched|delivered|left|leave|com(?:e|es|ing)|turned up|on (?:its|the) way|out for delivery|delayed|late|paid|received|gone through|did you (?:get|receive)|here";
const OTHER =
  "if|invoices?|happens|pay|costs?|charged?|customs|returns?|returning|refunds?|refunded|cancel|change|back|damaged?|broken|wrong|faulty";

export default {
  /** Word endings that the search ignores, as a regular expression. */
  endings: "(?:(?<=([bdgmnprt]))\\1(?:ed|ing)|es|(?<!s)s|e|ed|ing)$",
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
      "who whom whose where when why if about as than then there here have has had be been was were will would could should going may might must shall did me us you it its this these those they them their he she not no any some just please tell know get got like something anything possible between more than happen offer s d t m ll re ve don won",
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
      ["consumer", "individual", "private person", "private customer"],
      ["credit card", "pay by card", "payment by card", "Visa", "Mastercard"],
      ["company", "business", "firm"],
      ["contact", "phone", "telephone", "call", "ring"],
      ["privacy", "data"],
    ],
    /** A regular expression: a question about an order that was placed, which no page answers. */
    own_order: String.raw`\b(?:where(?:['’]s| is| are)|track|status)\b.*\b(?:orders?|parcels?|packages?|shipments?|delivery|goods)\b|^(?=.*\b${OWN}\b)(?=.*\b(?:${STATE})\b)(?!.*\b(?:${OTHER})\b)`,
  },
  /** Regular expressions: what people write before an amount, between two, and for what is in stock. */
  wishes: {
    most: "under|below|less than|cheaper than|up to|at most|(?:no|not) more than|max(?:imum)?\\.?",
    least: "over|above|more than|at least|from|min(?:imum)?\\.?",
    between: "between|from",
    and: "and|to",
    in_stock: "in[ -]stock|available (?:now|immediately|today)|ready to ship",
  },
};
