// The words of scripts, which are data in the page.
export default {
  category: {
    all: { one: "{count} product", other: "{count} products" },
    matching: { one: "{matching} of {count} product", other: "{matching} of {count} products" },
    noMatch: "No products match all of these filters.",
    loading: "Loading all products…",
    failed: "The other pages can't be loaded right now. These products are from this page only.",
    chooseMore: "Choose at least two products to compare.",
    ticked: { one: "{count} of {most} selected.", other: "{count} of {most} selected." },
    compare: { one: "Compare {count} product", other: "Compare {count} products" },
  },
  comparison: {
    missing: "Not found in this category: {names}.",
    quoted: "“{name}”",
    chooseMore: "Choose at least two products to compare. Showing all.",
    differences: {
      one: "Comparing {products} products: {count} of {rows} rows differs, marked ≠.",
      other: "Comparing {products} products: {count} of {rows} rows differ, marked ≠.",
    },
    differs: "differs",
    onlyDifferences: "Differences only",
    remove: "Remove",
    removeProduct: "Remove {product}",
  },
} as const;
