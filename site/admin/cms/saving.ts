// What happens in the browser before Sveltia saves an entry: the admin is asked what the form will be with what others have
// saved since, and the editor, where both have changed the same.

/** What the admin says of a form (server/gitea.ts). */
interface Prepared {
  data?: Record<string, unknown>;
  message?: string;
  /** The blob in the drafts; null if it was deleted. */
  on?: string | null;
  dialog?: Dialog;
}

/** The words of a question, ready to be shown. */
interface Dialog {
  heading: string;
  hint: string;
  clashes: { label: string; theirs: string; mine: string }[];
  columns: { theirs: string; mine: string };
  answers: Partial<Record<"theirs" | "mine", string>>;
  back: string;
}

/** What Sveltia made of a text before anybody typed in it, by that text: the last ones. */
const shown = new Map<string, string>();
const MOST_SHOWN = 20;

/**
 * Notes what Sveltia makes of a text as soon as it shows it. Its editor tells so by an event; the field below it, which is
 * hidden then, still has the text from which it was made.
 */
export function watchTexts(): void {
  const touched = new WeakSet<Element>();
  const before = new WeakMap<Element, string>();
  const touch = ({ target }: Event) => {
    const editor = target instanceof Element ? target.closest(".text-editor") : null;
    if (editor) touched.add(editor);
  };
  for (const type of ["beforeinput", "keydown", "paste", "cut", "drop", "click"])
    document.addEventListener(type, touch, { capture: true });
  const note = (event: Event) => {
    const { target } = event;
    const editor = target instanceof HTMLElement && !target.hidden ? target.closest(".text-editor") : null;
    const text = editor?.querySelector("textarea");
    if (!editor || !text || touched.has(editor)) return;
    const made = String((event as CustomEvent<{ value: unknown }>).detail.value);
    // Until it has loaded what colours code, the editor says that there is no text.
    const from = before.get(editor) ?? text.value.trim();
    if (made.trim() === "" && from !== "") before.set(editor, from);
    else before.delete(editor);
    shown.delete(from);
    shown.set(from, made.trim());
    const [first] = shown.keys();
    if (shown.size > MOST_SHOWN && first !== undefined) shown.delete(first);
  };
  document.addEventListener("Update", note, { capture: true });
}

/**
 * An entry's fields as they will be saved, with what others have saved since. Throws what Sveltia then shows, if it can't be
 * saved or the editor goes back to the text; `unreachable` says that there was no answer.
 */
export async function prepareSave(
  { path, newRecord, data }: { path: string; newRecord: boolean; data: Record<string, unknown> },
  unreachable: string,
) {
  let choice: { prefer: "theirs" | "mine"; on: string | null } | undefined;
  for (;;) {
    const request = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ path, isNew: newRecord, data, shown: [...shown], choice }),
    };
    // Without an answer that can be read, nothing has reached the admin.
    const answer = await fetch("/api/admin/forms", request).catch(() => undefined);
    const read: Prepared | undefined = await answer?.json().catch(() => undefined);
    if (answer?.ok && read?.data) return read.data;
    const { message = unreachable, on = null, dialog } = read ?? {};
    const prefer = dialog && (await ask(dialog));
    if (prefer === undefined) throw new Error("saving_failed", { cause: new Error(message) });
    choice = { prefer, on };
  }
}

/** The texts that a save deletes or renames, and whether it does nothing else than deleting; undefined for another request. */
export function takenAwayBy([url, init]: Parameters<typeof fetch>): { paths: string[]; isAll: boolean } | undefined {
  if (init?.method !== "POST" || !String(url).endsWith("/contents")) return undefined;
  const { files }: { files: { operation: string; path: string; from_path?: string }[] } = JSON.parse(String(init.body));
  const gone = files.map(({ operation, path, from_path }) => (operation === "delete" ? path : from_path));
  const paths = gone.filter((path) => path !== undefined && /\.mdx?$/.test(path)) as string[];
  return { paths, isAll: files.every(({ operation }) => operation === "delete") };
}

/** Shows what both have changed. Returns whose is to be saved; undefined if the editor wants to go back. */
function ask({ heading, hint, clashes, columns, answers, back }: Dialog): Promise<"theirs" | "mine" | undefined> {
  const { promise, resolve } = Promise.withResolvers<"theirs" | "mine" | undefined>();
  const title = make("h2", heading);
  const dialog = make("dialog", title, make("p", hint));
  title.id = "clash-title";
  dialog.id = "clash";
  dialog.setAttribute("aria-labelledby", title.id);
  title.tabIndex = -1;
  for (const { label, theirs, mine } of clashes) {
    const list = make("dl", make("dt", columns.theirs), make("dd", theirs), make("dt", columns.mine), make("dd", mine));
    dialog.append(make("h3", label), list);
  }
  const buttons = (["mine", "theirs"] as const).flatMap((side) => {
    const words = answers[side];
    return words === undefined ? [] : button(words, () => close(side));
  });
  const secondary = button(back, () => close(undefined));
  secondary.className = "secondary";
  const actions = make("p", ...buttons, secondary);
  actions.className = "actions";
  dialog.append(actions);
  function close(side: "theirs" | "mine" | undefined) {
    resolve(side);
    dialog.close();
  }
  dialog.addEventListener("close", () => {
    resolve(undefined);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  // No button: one key more than the editor meant to press would save over somebody else's words.
  title.focus();
  return promise;
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, ...parts: (string | Node)[]) {
  const element = document.createElement(name);
  element.append(...parts);
  return element;
}

function button(words: string, onClick: () => void): HTMLButtonElement {
  const element = make("button", words);
  element.addEventListener("click", onClick);
  return element;
}
