import { basename, dirname } from "node:path";

const productsPerPage = 60;
const euros = new Intl.NumberFormat("en-GB", { style: "currency", currency: "EUR" });
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");
const slugOfCategory = (product) => basename(dirname(product.inputPath));
const pathOfPage = (category, page) => `/categories/${category.fileSlug}${page === 1 ? "" : `/page/${page}`}`;

/** A row of the Markdown table of versions. */
function offerRow({ sku, gtin, price, availability, options = {} }) {
  const version = Object.entries(options).map(([name, value]) => `${name}: ${value}`);
  return `| ${version.join(", ")} | ${sku} | ${gtin} | ${euros.format(Number(price))} | ${sentence(availability)} |`;
}

/** Each category with its products, cut into pages. */
function cutIntoPages(collections) {
  const byCategory = Map.groupBy(collections.getFilteredByTag("product"), slugOfCategory);
  return collections.getFilteredByTag("category").flatMap((category) => {
    const products = byCategory.get(category.fileSlug) ?? [];
    const pages = Math.max(Math.ceil(products.length / productsPerPage), 1);
    return Array.from({ length: pages }, (_, index) => ({
      category,
      count: products.length,
      products: products.slice(index * productsPerPage, (index + 1) * productsPerPage),
      page: index + 1,
      pages,
      path: pathOfPage(category, index + 1),
      previous: pathOfPage(category, index),
      next: pathOfPage(category, index + 2),
    }));
  });
}

export default function configure(eleventy) {
  eleventy.setTemplateFormats(["md", "njk", "11ty.js"]);
  eleventy.addPassthroughCopy("pictures");
  eleventy.addCollection("categoryPages", cutIntoPages);
  eleventy.addFilter("price", (price) => euros.format(Number(price)));
  eleventy.addFilter("sentence", sentence);
  eleventy.addFilter("picture", ({ src }, category) => `/pictures/${category}/${basename(src)}`);
  eleventy.addFilter("list", (value) => [value].flat().join(", "));
  eleventy.addFilter("titleOf", (categories, slug) => categories.find(({ fileSlug }) => fileSlug === slug).data.title);
  eleventy.addFilter("offerRow", offerRow);
  eleventy.addFilter("day", (date) => new Date(date).toISOString().slice(0, 10));
  // Otherwise Liquid would read each text before markdown-it does.
  return { markdownTemplateEngine: false };
}
