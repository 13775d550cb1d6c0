export const data = { permalink: "/index.md" };

export function render({ collections, shop }) {
  const lines = collections.category.map(
    ({ data, fileSlug }) => `- [${data.title}](${shop.url}/categories/${fileSlug}): ${data.summary}`,
  );
  return `# ${shop.name}\n\n${lines.join("\n")}\n`;
}
