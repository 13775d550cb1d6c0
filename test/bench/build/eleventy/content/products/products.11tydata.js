import { basename, dirname } from "node:path";

export default {
  layout: "product.njk",
  tags: "product",
  permalink: ({ page }) => `/products/${page.fileSlug}.html`,
  eleventyComputed: {
    path: ({ page }) => `/products/${page.fileSlug}`,
    category: ({ page }) => basename(dirname(page.inputPath)),
    offers: (data) => data.variants ?? [data],
  },
};
