export const data = {
  pagination: { data: "collections.product", size: 1, alias: "product" },
  permalink: ({ product }) => `${product.data.path}.md`,
};

export function render({ product, shop }) {
  const { title, summary, brand, updated, path, category, images, offers, specifications } = product.data;
  const [first] = offers;
  return `---
title: ${JSON.stringify(title)}
description: ${JSON.stringify(summary)}
url: ${shop.url}${path}
brand: ${JSON.stringify(brand)}
sku: ${JSON.stringify(first.sku)}
price: ${JSON.stringify(first.price)}
---

# ${title}

${summary}

${images.map((image) => `![${image.alt}](${shop.url}${this.picture(image, category)})`).join("\n")}

By ${brand}, updated ${this.day(updated)}

| Version | SKU | GTIN | Price | Availability |
| --- | --- | --- | --- | --- |
${offers.map((offer) => this.offerRow(offer)).join("\n")}

${product.rawInput}

## Specifications

| | |
| --- | --- |
${Object.entries(specifications)
  .map(([name, value]) => `| ${name} | ${this.list(value)} |`)
  .join("\n")}
`;
}
