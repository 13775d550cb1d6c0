import type { Forms, Grammar, Span, Wrap } from "./grammar.ts";

/** The site's own words in one language. A word missing in another language's file is a type error. */
export type Words = ReturnType<typeof english>;

/** The default export of a language's file: its words, with a locale's numbers and plural forms. */
export type Language = (grammar: Grammar) => Words;

// A sentence with a `Wrap` is HTML, and so are its other values; all others are plain text.
const english = ({ number, plural, range }: Grammar) => {
  const products = (count: number) => plural(count, { one: "{count} product", other: "{count} products" });
  const days = (count: number) => plural(count, { one: "{count} day", other: "{count} days" });
  const workingDays = (span: Span) =>
    range(
      span,
      { one: "{count} working day", other: "{count} working days" },
      { other: "{min} to {max} working days" },
    );
  const updated = (day: string) => `Updated ${day}`;
  return {
    frame: {
      home: "Home",
      skip: "Skip to content",
      forAgents: (llms: string) =>
        `For agents: every public page is available as Markdown too, and all are listed in ${llms}`,
      /** At the top of each page's Markdown, where `llms.txt` becomes a link. */
      pointer: "Every page of this site is listed in llms.txt.",
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
      updated,
      /** Printed below a product page. */
      asOf: (day: string) => `As of ${day}.`,
      table: (number: number) => `Table ${number}`,
      answersTable: (number: number) => `Answers, table ${number}`,
      callouts: { tip: "Tip", note: "Note", warning: "Warning" },
      questions: "Questions and answers",
    },
    home: {
      categories: "Categories",
      connected: "Fits almost any counter",
      worksWith: (count: number) => `Works with ${products(count)}`,
      reasons: { delivery: "Delivery", returns: "Returns", person: "Talk to a person" },
    },
    guides: {
      title: "Guides",
      description: "Advice on choosing, fitting and looking after what we sell.",
      all: "All guides.",
    },
    notFound: {
      title: "Page not found",
      description: "There is no page at this address.",
      lead: "There is no page at this address. It may be mistyped, or the page may have been removed.",
      search: (link: Wrap) => `${link("Search")} by word, SKU or GTIN`,
      contact: (link: Wrap, address: string) =>
        `${link("Contact us")}, or write to ${address} with the name or SKU of what you are looking for`,
      home: "Home page",
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
      /** Word endings that the search ignores, as a regular expression. */
      endings: "(?:e?s|e|ed|ing)$",
      /** The word before one of these is what a query or title is about: `cable for printers`. The search ignores them. */
      prepositions: "for with without to from in on of at by",
      /** Other words that the search ignores. */
      ignored: "and or the a an my our your is are do does can that which what how i we you need want",
      /** A specification's value that says it doesn't apply, as a regular expression. */
      none: "^(?:none|no)\\b",
    },
    category: {
      page: (title: string, page: number) => `${title}, page ${page}`,
      pageDescription: (title: string, span: Span, count: number) =>
        `${title}: ${range(span, { other: "product {count}" }, { other: "products {min} to {max}" })} of ${number(count)}.`,
      products,
      productsOnPage: (count: number, page: number, pages: number) => `${products(count)}, page ${page} of ${pages}`,
      noMatch: (clear: Wrap, contact: Wrap) =>
        `${clear("Clear all filters")} or ${contact("ask us")} what would suit you.`,
      /** In the category that the counter begins with. */
      buildCounter: (counter: Wrap) => `${counter("Build your counter")}: choose one, then see only what goes with it.`,
      empty: (contact: Wrap) => `No products here at the moment. ${contact("Ask us")} what is coming.`,
      filterAndSort: "Filter and sort",
      sortBy: "Sort by",
      recommended: "Recommended",
      name: "Name",
      price: "Price",
      netPrice: "Net price",
      lowestFirst: (name: string) => `${name}, lowest first`,
      highestFirst: (name: string) => `${name}, highest first`,
      clear: "Clear all",
      /** A number follows. */
      matching: "Results:",
      matchingOnPage: "Results on this page:",
      none: "None",
      compare: (product: string, hidden: Wrap) => `Compare${hidden(` ${product}`)}`,
      compareChosen: "Compare selected products",
      compareAll: (link: string) => `See them all in one table: ${link}.`,
      pages: "Pages",
      previous: "Previous",
      next: "Next",
      pageNumber: (number: number, hidden: Wrap) => `${hidden("Page ")}${number}`,
    },
    comparison: {
      title: (category: string) => `${category} compared`,
      description: (category: string) => `${category} side by side: price, availability and every specification.`,
      choose: (link: Wrap) => `${link("Choose two to four products")} to compare just those, side by side.`,
      label: "Comparison",
      specification: "Specification",
      notStated: "Not stated",
    },
    product: {
      offer: "Price and order",
      seeVersions: "(see each version)",
      chooseToOrder: "Choose a version to order",
      chooseToAsk: "Choose a version to ask about",
      orderByMail: (sku: string) => `Order ${sku} by email`,
      askByMail: (sku: string) => `Ask about ${sku} by email`,
      brand: "Brand",
      sku: "SKU",
      gtin: "GTIN",
      otherBarcode: "Other barcode",
      showBarcode: "Barcode",
      delivery: "Delivery",
      seeDelivery: "see what it costs",
      returns: "Returns",
      seeReturns: "see how they work",
      payment: "Payment",
      quantity: "Quantity",
      addToBasket: "Add to basket",
      /** A link that can be sent to whoever places the order. */
      buyLink: (sku: string, rest: Wrap) => `Link to order ${rest(sku)}`,
      /** A link to the counter with the version chosen. */
      buildCounter: (sku: string, rest: Wrap) => `Build your counter ${rest(`around ${sku}`)}`,
      preorderTerms: "You pay for a pre-order when you order it, and we refund it at any time before dispatch.",
      notOrderable: "We don't know when it will be back, so you can't order it now.",
      seeSimilar: "See similar products",
      toAsk: (address: string) => `Questions first? Write to ${address}.`,
      howToOrder: (address: string) => `To order, write to ${address} with the SKU and the quantity.`,
      enlarge: (picture: number) => `Enlarge picture ${picture}`,
      close: "Close",
      versions: "Versions",
      availability: "Availability",
      order: "Order",
      none: "none",
      orderLink: (sku: string, rest: Wrap) => `Order ${rest(sku)}`,
      askLink: (sku: string, rest: Wrap) => `Ask ${rest(`about ${sku}`)}`,
      specifications: "Specifications",
      largestSide: {
        sheet: (count: number) =>
          plural(count, {
            one: "Its largest side is the size of a sheet of A4 (210 × 297 mm).",
            other: "Its largest side is as large as {count} sheets of A4 (210 × 297 mm).",
          }),
        card: (count: number) =>
          plural(count, {
            one: "Its largest side is the size of a bank card (86 × 54 mm).",
            other: "Its largest side is as large as {count} bank cards (86 × 54 mm).",
          }),
      },
      property: "Property",
      value: "Value",
      /** A value of a specification that only these versions have. */
      ofVersions: (versions: string, value: string) => `${versions}: ${value}`,
      worksWith: "Compatible products",
      /** With a third product, two others fit. */
      together: (product: string, reason: string) => `together with the ${product}: ${reason}`,
      doesNotWorkWith: "Doesn't work with",
      documents: "Documents",
      documentKinds: { data_sheet: "Data sheet", manual: "Manual", driver: "Driver" },
      guides: "Guides",
      similar: "Similar products",
    },
    letter: {
      order: (sku: string) => `Order ${sku}`,
      ask: (sku: string) => `Ask about ${sku}`,
      quantity: "Quantity: 1",
      when: "When will it be available?",
    },
    availability: {
      in_stock: "In stock",
      preorder: "Pre-order: not yet released",
      backorder: "On back-order",
      out_of_stock: "Out of stock",
    },
    expected: (availability: string, day: string) => `${availability} (expected ${day})`,
    price: {
      from: (price: string) => `from ${price}`,
      cheaper: (price: string, availability: string) => `Cheaper version at ${price}: ${availability}`,
      under: (price: string) => `Under ${price}`,
      /** The first price belongs to the range, the second doesn't. */
      between: (from: string, to: string) => `${from} to ${to}`,
      atLeast: (price: string) => `${price} and more`,
      taxed: (rate: string, tax: string) => `incl. ${rate} ${tax}`,
      untaxed: (rate: string, tax: string) => `plus ${rate} ${tax}`,
      net: "net",
      netAnd: (withTax: string) => `net (${withTax})`,
      withTax: (price: string, tax: string) => `${price} with ${tax}`,
    },
    delivery: {
      free: "free",
      /** For a product: price and working days. */
      always: (price: string, span: Span) => `${price}, in ${workingDays(span)}`,
      between: (lowest: string, highest: string, span: Span) =>
        `${lowest} to ${highest} by country, in ${workingDays(span)}`,
      freeOrUpTo: (highest: string, span: Span) => `free or up to ${highest} by country, in ${workingDays(span)}`,
      /** For the home page. */
      first: (countries: string, price: string, span: Span) =>
        `${countries}: delivery in ${workingDays(span)}, ${price}`,
      firstFreeOver: (countries: string, price: string, span: Span, value: string) =>
        `${countries}: delivery in ${workingDays(span)}, ${price}, free over ${value}`,
      leavesSameDay: "Products in stock leave our warehouse on the same working day.",
      leavesWithin: (span: Span) => `Products in stock leave our warehouse within ${workingDays(span)}.`,
      leavesIn: (span: Span) => `Products in stock leave our warehouse in ${workingDays(span)}.`,
      fromPayment: "We count from the day your payment arrives.",
      workingDays: (first: string, last: string) => `Working days are ${first} to ${last}.`,
      to: "To",
      pricePerOrder: (tax: string) => `Price per order, ${tax}`,
      freeOver: "Free over",
      neverFree: "never free",
      time: "Total delivery time",
      days: workingDays,
    },
    returns: {
      customerPays: (count: number) => `${count}-day returns; you pay return postage`,
      shopPays: (count: number) => `${count}-day returns; we pay return postage`,
      period: "Return period",
      daysFromDelivery: (count: number) => `${days(count)} from the day of delivery`,
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
      required: (place: string) => `${place}, required`,
      optional: (place: string) => `${place}, optional`,
      oneOf: (values: string) => `One of ${values}.`,
      types: {
        oneOf: (values: string) => `one of ${values}`,
        between: (min: string, max: string) => `${min} to ${max}`,
        atLeast: (min: string) => `${min} or more`,
        atMost: (max: string) => `${max} at most`,
        default: (value: string) => `default ${value}`,
        time: "time",
        address: "address",
        decimal: "decimal",
        list: (type: string) => `list of ${type}s`,
        orNull: (type: string) => `${type}, or null`,
        notAlways: (type: string) => `${type}, not always there`,
      },
    },
    llms: {
      pages: "Pages",
      guides: "Guides",
      products: "Products",
      productsOf: (category: string) => `Products: ${category}`,
      /** The number of entries in a section. */
      counts: {
        pages: (count: number) => plural(count, { one: "{count} page", other: "{count} pages" }),
        guides: (count: number) => plural(count, { one: "{count} guide", other: "{count} guides" }),
        products,
        lists: (count: number) => plural(count, { one: "{count} list", other: "{count} lists" }),
      },
      whole: (section: string, count: string) => `${section}: all ${count}`,
      part: (section: string, count: string, list: number, lists: number) =>
        `${section}: ${count}, list ${list} of ${lists}`,
      fromTo: (first: string, last: string) => `From ${first} to ${last}`,
      partOf: (llms: string, shop: string) =>
        `Part of ${llms}, which lists everything that ${shop} has and says what is public, what needs a token and what is private.`,
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
      public: (merchantFeed: string, example: string) =>
        `Public, without an account: every page and resource listed here, and ${merchantFeed}, which has every variant in the format of Google Merchant Center. A page has one URL, such as ${example}, with two faces: HTML for browsers, and Markdown for a request with \`Accept: text/markdown\` or for the URL with \`.md\` at its end, as linked below.`,
      /** Only if tax is charged. */
      prices: (tax: string) =>
        `Pages state each price twice, net and then with ${tax}; the price with ${tax} is the one in their front matter and in the format of Google Merchant Center.`,
      /** Only if the shop sells online. */
      buy: (example: string) =>
        `Each version of a product has a link to order it, such as ${example} for one piece. It leads to a public page with the product, its price and delivery, to hand to the person who orders. Several versions are separated by commas, each with its quantity after the colon. Opening it orders nothing.`,
      /** Only if the shop has such a page. */
      counter: (counter: string) =>
        `${counter} puts a whole counter together: the SKUs in its address are chosen, such as \`?chosen=SKU+SKU\`, and it answers with what is known to go with them, why, and the total, in both faces.`,
      token: (openapi: string, apiCatalog: string, status: string, email: string) =>
        `With a partner token: the ERP partner API, whose paths are in ${openapi}; ${apiCatalog} (RFC 9727) leads there too, and ${status} tells everyone whether it is configured. The token goes into \`Authorization: Bearer\` or \`X-Ecom-Api-Token\`. Partners ask for one by writing to ${email}; there is no public sign-up, no sandbox, no command-line tool and no MCP server.`,
      private:
        "Private and not for agents: the CMS admin API, the tool endpoints of the messaging assistant, and the customers' basket, checkout and order pages, which belong to a visitor's session: only a person can order.",
      fullTitle: (shop: string) => `${shop}: all pages in full`,
      fullAbout: (llms: string) =>
        `The Markdown of every page that ${llms} lists, in the same order. Each page begins with front matter: between two lines of \`---\`, its title, its URL and other facts.`,
    },
    robots: {
      begin: (llms: string) => `Agents: start at ${llms}`,
      everyone: "Everyone",
      onRequest: "AI agents that fetch a page because a person asked",
      search: "AI search",
      training: "AI training",
    },
    /** The words of scripts, which are data in the page: `{names}` are replaced by values. */
    scripts: {
      category: {
        all: { one: "{count} product", other: "{count} products" } as Forms,
        matching: { one: "{matching} of {count} product", other: "{matching} of {count} products" } as Forms,
        noMatch: "No products match all of these filters.",
        loading: "Loading all products…",
        failed: "The other pages can't be loaded right now. These products are from this page only.",
        chosen: "{group}: {value}",
        removeChosen: "Remove {group}: {value}",
        chooseMore: "Choose at least two products to compare.",
        ticked: { one: "{count} of {most} selected.", other: "{count} of {most} selected." } as Forms,
        compare: { one: "Compare {count} product", other: "Compare {count} products" } as Forms,
      },
      comparison: {
        missing: "Not found in this category: {names}.",
        quoted: "“{name}”",
        chooseMore: "Choose at least two products to compare. Showing all.",
        differences: {
          one: "Comparing {products} products: {count} of {rows} rows differs, marked ≠.",
          other: "Comparing {products} products: {count} of {rows} rows differ, marked ≠.",
        } as Forms,
        differs: "differs",
        onlyDifferences: "Differences only",
        remove: "Remove",
        removeProduct: "Remove {product}",
      },
    },
  };
};

export default english;
