export const data = {
  pagination: { data: "collections.categoryPages", size: 1, alias: "list" },
  permalink: ({ list }) => `${list.path}.md`,
};

export function render({ list, shop }) {
  const { category, products, count, page, pages, path } = list;
  const { title, summary } = category.data;
  const lines = products.map(
    ({ data }) => `- [${data.title}](${shop.url}${data.path}): ${data.summary} ${this.price(data.offers[0].price)}`,
  );
  return `---
title: ${JSON.stringify(title)}
description: ${JSON.stringify(summary)}
url: ${shop.url}${path}
---

# ${title}

${count} products, page ${page} of ${pages}

${lines.join("\n")}
${page < pages ? `\n[Next page](${shop.url}${list.next}.md)\n` : ""}
${category.rawInput}
`;
}
