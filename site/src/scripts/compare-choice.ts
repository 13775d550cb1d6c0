// In a category: four products are the most that are compared, and two the fewest.
const most = 4;
const boxes = [...document.querySelectorAll<HTMLInputElement>(".compare-choice input")];
const button = document.querySelector<HTMLButtonElement>(".compare-bar button");
const count = document.querySelector<HTMLElement>(".compare-count");

function refresh(): void {
  const chosen = boxes.filter(({ checked }) => checked).length;
  for (const box of boxes) box.disabled = chosen >= most && !box.checked;
  if (button) button.disabled = chosen < 2;
  if (count) count.textContent = chosen < 2 ? "Choose one more to compare." : `${chosen} of ${most} chosen.`;
}

for (const box of boxes) {
  // Without the script all products are compared, whatever is ticked.
  box.name = "p";
  box.addEventListener("change", refresh);
}
refresh();

export {};
