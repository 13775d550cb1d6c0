// What is shown of a category are the pages of its products.
export default { tags: "category", permalink: false };
