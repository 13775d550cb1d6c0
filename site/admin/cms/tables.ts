/**
 * Makes the first row of a table that is pasted, such as from Word or Excel, its head. Without one it can't be a table in Markdown
 * (GFM 4.10), and Sveltia would write its rows as text with bars.
 */
export function giveTablesHeads(): void {
  document.addEventListener(
    "paste",
    (event) => {
      const { target, clipboardData } = event;
      // Plain fields take pasted text from the browser alone.
      if (!(target instanceof Element) || target.closest("[contenteditable=true]") === null) return;
      const pasted = new DOMParser().parseFromString(clipboardData?.getData("text/html") ?? "", "text/html");
      const headless = [...pasted.querySelectorAll("table")].filter((table) => !table.querySelector("th"));
      if (headless.length === 0) return;
      for (const cell of headless.flatMap((table) => [...(table.rows[0]?.cells ?? [])])) {
        const head = pasted.createElement("th");
        head.append(...cell.childNodes);
        cell.replaceWith(head);
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      const data = new DataTransfer();
      data.setData("text/html", pasted.documentElement.outerHTML);
      data.setData("text/plain", clipboardData?.getData("text/plain") ?? "");
      target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    },
    true,
  );
}
