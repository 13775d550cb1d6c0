// A text with `<name>…</name>` in it is HTML: that part is wrapped, such as in a link. All others are plain text.
export default {
  frame: {
    home: "Home",
    skip: "Skip to content",
    forAgents: "For agents: every public page is available as Markdown too, and all are listed in <link>{path}</link>",
    /** At the top of each page's Markdown, where `llms.txt` becomes a link. */
    pointer: "All pages: llms.txt",
    breadcrumbs: "Breadcrumbs",
    menu: "Menu",
    sections: "Categories",
    basket: "Basket",
    help: "Ordering and help",
    aboutShop: "About the shop",
    developers: "For developers and agents",
    findOrder: "Find your order",
    counter: "Build your counter",
    waysToPay: "Ways to pay",
    card: "Card",
    transfer: "Bank transfer",
    llms: "All pages: llms.txt",
    draft: "Draft",
    draftPage: "Draft: only you can see this page. Remove `draft: true` to publish it.",
    onThisPage: "On this page",
    updated: "Updated {day}",
    /** Printed below a product page. */
    asOf: "As of {day}.",
    table: "Table {number}",
    answersTable: "Answers, table {number}",
    callouts: { tip: "Tip", note: "Note", warning: "Warning" },
    questions: "Questions and answers",
  },
  home: {
    categories: "Categories",
    featured: "Our picks",
    newest: "New in the shop",
    connected: "Works with most of what we sell",
    worksWith: { one: "Works with {count} product", other: "Works with {count} products" },
    reasons: { delivery: "Delivery", returns: "Returns", person: "Talk to a person" },
  },
  guides: {
    title: "Guides",
    description: "Advice on choosing, fitting and looking after what we sell.",
    all: "All guides.",
  },
  gone: {
    title: "This page is gone",
    description: "The page at this address has been removed.",
    lead: "The page at this address has been removed, and nothing has taken its place.",
  },
  notFound: {
    title: "Page not found",
    description: "There is no page at this address.",
    lead: "There is no page at this address. It may be mistyped, or the page may have been removed.",
    contact: "Contact",
    home: "Home",
    categories: "Categories",
  },
  search: {
    title: "Search",
    description: "Find products, guides and pages by word, SKU or GTIN.",
    label: "Search products and guides",
    placeholder: "Word, SKU or GTIN",
    button: "Search",
    away: "Results appear on this page. If you have searched and there are none, the search isn’t available at the moment: please try again shortly, or choose a category.",
    categories: "Categories",
    skus: "All SKUs",
  },
  category: {
    page: "{title}, page {page}",
    /** Those below it. */
    subcategories: "Categories in {category}",
    oneOnPage: "{title}: product {min} of {count}.",
    severalOnPage: "{title}: products {min} to {max} of {count}.",
    products: { one: "{count} product", other: "{count} products" },
    productsOnPage: {
      one: "{count} product, page {page} of {pages}",
      other: "{count} products, page {page} of {pages}",
    },
    noMatch: "<clear>Clear all filters</clear> or <contact>ask us</contact> what would suit you.",
    /** In the category that the counter begins with. */
    buildCounter: "<link>Build your counter</link>: choose one, then see only what goes with it.",
    empty: "No products here at the moment. <link>Ask us</link> what is coming.",
    filter: "Filter",
    sortBy: "Sort by",
    recommended: "Recommended",
    name: "Name",
    price: "Price",
    netPrice: "Net price",
    lowestFirst: "{name}, lowest first",
    highestFirst: "{name}, highest first",
    clear: "Clear all",
    /** A number follows. */
    matching: "Results:",
    matchingOnPage: "Results on this page:",
    none: "None",
    compare: "Compare",
    compareProduct: "Compare {product}",
    compareChosen: "Compare selected products",
    compareAll: "Compare all",
    /** Of a category with several pages. */
    comparePage: "Compare this page",
    pages: "Pages",
    previous: "Previous",
    next: "Next",
    pageNumber: "<hidden>Page </hidden>{number}",
  },
  comparison: {
    title: "{category} compared",
    description: "{category} side by side: price, availability and every specification.",
    choose: "<link>Choose two to four products</link> to compare just those, side by side.",
    label: "Comparison",
    specification: "Specification",
    notStated: "Not stated",
  },
  product: {
    offer: "Price and order",
    seeVersions: "(see each version)",
    orderByMail: "Order {sku} by email",
    askByMail: "Ask about {sku} by email",
    brand: "Brand",
    sku: "SKU",
    gtin: "GTIN",
    otherBarcode: "Other barcode",
    /** What a customer's own systems need of a version. */
    records: "For your records",
    delivery: "Delivery",
    seeDelivery: "see what it costs",
    returns: "Returns",
    seeReturns: "see how they work",
    payment: "Payment",
    quantity: "Quantity",
    addToBasket: "Add to basket",
    /** In a list, of what is sold by several. */
    addPieces: "Add {count} to basket",
    /** In which numbers of pieces it is sold. */
    pieceRule: {
      from: "Sold from {least} pieces",
      packs: "Sold in packs of {step}",
      packs_from: "Sold in packs of {step}, from {least}",
      steps: "Sold from {least} pieces, then in steps of {step}",
    },
    condition: "Condition",
    conditions: { used: "Used", refurbished: "Refurbished" },
    inCondition: { used: "{title} (used)", refurbished: "{title} (refurbished)" },
    /** In a list: leads to the product. */
    choose: "Choose",
    details: "Details",
    /** A link that can be sent to whoever places the order. */
    buyLink: "Link to order <rest>{sku}</rest>",
    /** A link to the counter with the version chosen. */
    buildCounter: "Build your counter <rest>around {sku}</rest>",
    preorderTerms: "You pay for a pre-order when you order it, and we refund it at any time before dispatch.",
    notOrderable: "We don't know when it will be back, so you can't order it now.",
    seeSimilar: "See similar products",
    toAsk: "Questions first? Write to <link>{email}</link>.",
    howToOrder: "To order, write to <link>{email}</link> with the SKU and the quantity.",
    enlarge: "Enlarge picture {picture}",
    close: "Close",
    versions: "Versions",
    availability: "Availability",
    order: "Order",
    /** Of several versions, before one is chosen. */
    showOthers: { one: "Show {count} more product", other: "Show {count} more products" },
    pleaseChoose: "Please choose: {options}",
    notMade: "{version}: there is no such version",
    showOffer: "Show price and stock",
    /** An address with places for a SKU and a number of pieces follows. */
    buyPattern: "Link to order a version:",
    pieces: "PIECES",
    specifications: "Specifications",
    /** The headings of specifications, and the names that stand below each; all others are below the last. */
    specificationGroups: {
      named: {
        printing: {
          title: "Printing",
          names:
            "Print method | Print speed | Resolution | Width class | Paper width | Printable width | Paper roll | Widest label | Label roll | Ribbon | Cutter | Command set | Print head life",
        },
        scanning: {
          title: "Scanning",
          names: "Reads | Scan engine | Smallest code | Reads EAN-13 from | Reads EAN-13 up to | Memory without radio",
        },
        recognition: {
          title: "Recognition",
          names:
            "Identifies by | Sensor | Card reader | Templates | Event log | Liveness check | Matching time (vendor figure) | False acceptance (vendor figure) | False rejection (vendor figure)",
        },
        computer: {
          title: "Computer and screen",
          names: "Processor | Memory | Storage | Operating system | Screen size | Display | Touch | Customer screen",
        },
        connections: {
          title: "Connections",
          names:
            "Connection | Connections | Interface | USB ports | Serial ports | Network | Network speed | Radio range | Cash drawer port | Drawer socket | Open sensor",
        },
        power: { title: "Power", names: "Power | Battery | Voltage | Coil" },
        size: {
          title: "Size and material",
          names:
            "Size | Dimensions | Width | Height | Depth | Length | Weight | Material | Colour | Capacity | Form | Note trays | Coin trays | Slots in front",
        },
        durability: {
          title: "Durability",
          names: "Sealing | Drop resistance | Operating temperature | Opening cycles | Warranty",
        },
      },
      others: "General",
    },
    /** The heading of a text's part that stands beside the pictures. */
    inTheBox: "In the box",
    /** A value of a specification that only these versions have. */
    ofVersions: "{versions}: {value}",
    worksWith: "Compatible products",
    /** With a third product, two others fit. */
    together: "together with the {product}: {reason}",
    doesNotWorkWith: "Doesn't work with",
    /** Who makes it, and what whoever uses it must know. */
    safety: "Maker and safety",
    madeBy: "Made by",
    responsible: "Responsible in the EU",
    documents: "Documents",
    documentKinds: { data_sheet: "Data sheet", manual: "Manual", driver: "Driver" },
    guides: "Guides",
    similar: "Similar products",
  },
  letter: {
    order: "Order {sku}",
    ask: "Ask about {sku}",
    quantity: "Quantity: {count}",
    when: "When will it be available?",
  },
  availability: {
    in_stock: "In stock",
    preorder: "Pre-order",
    backorder: "On back-order",
    out_of_stock: "Out of stock",
  },
  expected: "{availability} (expected {day})",
  someVersions: "{availability} in {some} of {count} versions",
  fewLeft: "{availability}, last pieces",
  price: {
    /** Of what a piece holds: `€2.18 / m`. */
    perUnit: "{price} / {unit}",
    from: "from {price}",
    cheaper: "Cheaper version at {price}: {availability}",
    under: "Under {price}",
    /** The first price belongs to the range, the second doesn't. */
    between: "{from} to {to}",
    atLeast: "{price} and more",
    taxed: "incl. {rate} {tax}",
    untaxed: "plus {rate} {tax}",
    /** Where goods have several rates. */
    taxedBy: "incl. {tax}",
    untaxedBy: "plus {tax}",
    net: "net",
    netAnd: "net ({withTax})",
    withTax: "{price} with {tax}",
  },
  delivery: {
    free: "free",
    /** For a product: price and working days. */
    always: "{price}, in {days}",
    between: "{lowest} to {highest} by country, in {days}",
    freeOrUpTo: "free or up to {highest} by country, in {days}",
    /** The same where customers choose a way of delivery too. */
    betweenMethods: "{lowest} to {highest} by country and way of delivery, in {days}",
    freeOrUpToByMethod: "free or up to {highest} by country and way of delivery, in {days}",
    orCollect: "{delivery}; or collect it in {city}, free",
    collectOnly: "only to be collected in {city}, free",
    /** For the home page. */
    first: "{countries}: delivery {inDays}, {price}",
    firstFreeOver: "{countries}: delivery {inDays}, {price}, free over {value}",
    leavesSameDay: "Products in stock leave our warehouse on the same working day.",
    leavesWithin: {
      one: "Products in stock leave our warehouse within {count} working day.",
      other: "Products in stock leave our warehouse within {count} working days.",
    },
    leavesIn: "Products in stock leave our warehouse {inDays}.",
    fromPayment: "We count from the day your payment arrives.",
    workingDays: "Working days are {first} to {last}.",
    to: "To",
    pricePerOrder: "Price per order, {tax}",
    method: "Way of delivery",
    /** Of a zone with one price, beside zones with several ways. */
    standard: "Standard delivery",
    /** Prices by weight, value or pieces: `up to 2 kg: €7.50`. */
    tierUpTo: "up to {to}: {price}",
    tierBetween: "over {from}, up to {to}: {price}",
    tierOver: "over {from}: {price}",
    pieces: { one: "{count} piece", other: "{count} pieces" },
    collectAt: "{name}: free, at {address}.",
    collectAtWithin: "{name}: free, at {address}. Open {hours}.",
    freeOver: "Free over",
    neverFree: "never free",
    notTo: "Not delivered to: {places}.",
    /** Of a country that isn't delivered to itself. */
    onlyTo: "{country}: only {places}.",
    time: "Total delivery time",
    days: { one: "{count} working day", other: "{count} working days" },
    /** A language that declines a range may write its plural forms, which go by the last number. */
    daysBetween: "{min} to {max} working days",
    daysUpTo: { one: "up to {count} working day", other: "up to {count} working days" },
    /** The same in a sentence. */
    inDays: { one: "in {count} working day", other: "in {count} working days" },
    inDaysBetween: "in {min} to {max} working days",
    withinDays: { one: "within {count} working day", other: "within {count} working days" },
  },
  returns: {
    customerPays: "{count}-day returns; you pay return postage",
    shopPays: "{count}-day returns; we pay return postage",
    period: "Return period",
    daysFromDelivery: { one: "{count} day from the day of delivery", other: "{count} days from the day of delivery" },
    postage: "Return postage",
    paidBy: {
      customer: "you pay; we pay if the product is faulty or we sent the wrong one",
      shop: "we pay",
    },
    sentTo: "Returns go to",
    countries: "For deliveries to",
  },
  developers: {
    method: "Method",
    path: "Path",
    access: "Access",
    summary: "What it does",
    public: "public",
    token: "token",
    parameter: "Parameter",
    place: "Where",
    type: "Type",
    meaning: "Meaning",
    field: "Field",
    required: "{place}, required",
    optional: "{place}, optional",
    oneOf: "One of {values}.",
    types: {
      oneOf: "one of {values}",
      between: "{least} to {most}",
      atLeast: "{least} or more",
      atMost: "{most} at most",
      default: "default {value}",
      time: "time",
      address: "address",
      decimal: "decimal",
      list: "list of {type}s",
      orNull: "{type}, or null",
      notAlways: "{type}, not always there",
    },
  },
  llms: {
    pages: "Pages",
    guides: "Guides",
    products: "Products",
    productsOf: "Products: {category}",
    /** The number of entries in a section. */
    counts: {
      pages: { one: "{count} page", other: "{count} pages" },
      guides: { one: "{count} guide", other: "{count} guides" },
      products: { one: "{count} product", other: "{count} products" },
      lists: { one: "{count} list", other: "{count} lists" },
    },
    whole: "{section}: all {items}",
    part: "{section}: {items}, list {list} of {lists}",
    fromTo: "From {first} to {last}",
    partOf:
      "Part of {llms}, which lists everything that {shop} has and says what is public, what needs a token and what is private.",
    resources: "Machine-readable resources",
    productFeed: {
      title: "Product feed",
      notes: "the whole catalogue as JSON: identifiers, prices, availability, specifications",
    },
    openapi: {
      title: "API description",
      notes: "OpenAPI 3.0.3 of the partner API, the product feed, llms.txt, robots.txt and the sitemap",
    },
    llmsFull: { title: "All pages in full", notes: "the Markdown of every page listed here, in one file" },
    sitemap: { title: "Sitemap", notes: "every page with the day of its last change" },
    robots: { title: "Crawl rules", notes: "what crawlers may fetch, by purpose" },
    public:
      "Public, without an account: every page and resource listed here, and {merchantFeed}, which has every variant in the format of Google Merchant Center. A page has one URL, such as {example}, with two faces: HTML for browsers, and Markdown for a request with `Accept: text/markdown` or for the URL with `.md` at its end, as linked below. {search} answers `?q=` with products, guides and pages, in both faces.",
    /** Only if tax is charged. */
    prices:
      "Pages state each price twice, net and then with {tax}; the price with {tax} is the one in their front matter and in the format of Google Merchant Center.",
    /** Only if the shop sells online. */
    buy: {
      one: "Each version of a product has a link to order it, such as {example} for one piece. It leads to a public page with the product, its price and delivery, to hand to the person who orders. Several versions are separated by commas, each with its quantity after the colon. Opening it orders nothing; `?country=` and a code such as `DE` price it for a delivery there.",
      other:
        "Each version of a product has a link to order it, such as {example} for {count} pieces. It leads to a public page with the product, its price and delivery, to hand to the person who orders. Several versions are separated by commas, each with its quantity after the colon. Opening it orders nothing; `?country=` and a code such as `DE` price it for a delivery there.",
    },
    /** Only if the shop has such a page. */
    counter:
      "{counter} puts a whole counter together: the SKUs in its address are chosen, such as `?chosen=SKU+SKU`, and it answers with what is known to go with them, why, and the total, in both faces.",
    token:
      "With a partner token: the ERP partner API, whose paths are in {openapi}; {apiCatalog} (RFC 9727) leads there too, and {status} tells everyone whether it is configured. The token goes into `Authorization: Bearer` or `X-Ecom-Api-Token`. Partners ask for one by writing to {email}; there is no public sign-up, no sandbox, no command-line tool and no MCP server.",
    private:
      "Private and not for agents: the CMS admin API, the tool endpoints of the messaging assistant, and the customers' basket, checkout and order pages, which belong to a visitor's session: only a person can order.",
    fullTitle: "{shop}: all pages in full",
    fullAbout:
      "The Markdown of every page that {llms} lists, in the same order. Each page begins with front matter: between two lines of `---`, its title, its URL and other facts.",
  },
  robots: {
    begin: "Agents: start at {llms}",
    everyone: "Everyone",
    onRequest: "AI agents that fetch a page because a person asked",
    search: "AI search",
    training: "AI training",
  },
} as const;
