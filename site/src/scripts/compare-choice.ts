// In a category: four products are the most that are compared, and two the fewest.
import { plural, readWords } from "./page-words.ts";

const words = readWords<"category">();

const most = 4;
const boxes = [...document.querySelectorAll<HTMLInputElement>(".compare-choice input")];
const button = document.querySelector<HTMLButtonElement>(".compare-bar button");
const count = document.querySelector<HTMLElement>(".compare-count");

function start(button: HTMLButtonElement, count: HTMLElement): void {
  const unchosen = button.textContent;

  function refresh(): void {
    const chosen = boxes.filter(({ checked }) => checked).length;
    const isEnough = chosen > 1;
    for (const box of boxes) box.disabled = chosen >= most && !box.checked;
    button.disabled = !isEnough;
    button.textContent = isEnough ? plural(chosen, words.compare) : unchosen;
    count.textContent = isEnough ? plural(chosen, words.ticked, { most }) : words.chooseMore;
  }

  for (const box of boxes) {
    // Without the script all products are compared, whatever is ticked.
    box.name = "p";
    box.addEventListener("change", refresh);
  }
  refresh();
}

if (button && count) start(button, count);
