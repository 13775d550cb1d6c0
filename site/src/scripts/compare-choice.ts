// The choice of two to four products to compare, in a category.
import { readWords, say } from "./page-words.ts";

const words = readWords<"category">();

const maxProducts = 4;
const list = document.querySelector<HTMLElement>(".list");
const button = document.querySelector<HTMLButtonElement>(".compare-bar button");
const count = document.querySelector<HTMLElement>(".compare-count");

function start(list: HTMLElement, button: HTMLButtonElement, count: HTMLElement): void {
  const unchosen = button.textContent;

  function refresh(): void {
    const boxes = [...list.querySelectorAll<HTMLInputElement>(".compare-choice input")];
    // Named only here: without the script the comparison shows all products.
    for (const box of boxes) box.name = "p";
    const chosen = boxes.filter(({ checked }) => checked).length;
    const isEnough = chosen > 1;
    for (const box of boxes) box.disabled = chosen >= maxProducts && !box.checked;
    button.disabled = !isEnough;
    button.textContent = isEnough ? say(words.compare, { count: chosen }) : unchosen;
    count.textContent = isEnough ? say(words.ticked, { count: chosen, most: maxProducts }) : words.chooseMore;
  }

  // Also when filters.ts has added the products of other pages.
  list.addEventListener("change", refresh);
  refresh();
}

if (list && button && count) start(list, button, count);
