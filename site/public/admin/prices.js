// The table at /admin/prices: shows below each price, as soon as it is typed, what will be stored, and writes it that way. Without
// this script, or an answer, the server shows it before it saves.
document.querySelector("main table")?.addEventListener("change", async ({ target }) => {
  if (!/^(meant:)?price:/.test(target.name)) return;
  const cell = target.closest("td");
  const price = cell.querySelector("[aria-describedby]");
  // What was chosen of two readings.
  if (target.type === "radio") price.value = target.value;
  const { name, value } = price;
  const query = new URLSearchParams({ name, typed: value });
  const answer = await fetch(`/admin/prices/amount?${query}`, { redirect: "error" }).catch(() => undefined);
  if (!answer?.ok || price.value !== value) return;
  const { amount, html } = await answer.json();
  cell.querySelector("[aria-live]").innerHTML = html;
  price.value = amount ?? value;
  price.setAttribute("aria-invalid", String(html !== "" && amount === undefined));
});
