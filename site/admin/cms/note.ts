// The note of /admin/cms/: that an entry is being saved, then checked, and what the check says. It never takes the focus.

interface NoteWords {
  saving: string;
  checking: string;
  good: string;
  problems: string;
  unchecked: string;
  close: string;
}

/** Opens the note that the page has (frame/page.ts), which screen readers listen to. */
export function openNote(words: NoteWords) {
  const note = document.querySelector<HTMLElement>("#wait");
  const status = note?.querySelector("[role=status]");
  if (!note || !status) throw new Error("The page has no note.");
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = words.close;
  note.append(close);

  function show(kind: "" | "good" | "wait" | "bad" = "", text = "", path = "", problems: readonly string[] = []): void {
    const paragraph = document.createElement("p");
    const name = document.createElement("strong");
    name.textContent = path.replace(/^content\//, "");
    paragraph.append(text, " ", name);
    const list = document.createElement("ul");
    list.append(
      ...problems.map((problem) => {
        const item = document.createElement("li");
        item.textContent = problem;
        return item;
      }),
    );
    note?.setAttribute("class", kind);
    status?.replaceChildren(...(text === "" ? [] : [paragraph]), ...(problems.length > 0 ? [list] : []));
  }
  const hide = () => show();
  close.addEventListener("click", hide);
  note.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });

  /** The entry that was saved last: the check of one before has nothing to say any more. */
  let saved = 0;

  return {
    /**
     * Says that something is being saved, for as long as it is. Who isn't signed in any more is asked to sign in, and the save is
     * sent again; Sveltia learns of the answer only then, because it shows a dialog of its own, in front of whatever is open.
     */
    watchSaves(): void {
      const { fetch: send } = window;
      window.fetch = async (...request) => {
        if (!isSave(request)) return send(...request);
        saved += 1;
        show("wait", words.saving);
        try {
          const answer = await send(...request);
          return answer.status === 401 && (await signInAgain()) ? await send(...request) : answer;
        } finally {
          hide();
        }
      };
    },
    /** Says why something wasn't done. */
    showRefusal(message: string): void {
      show("bad", message);
    },
    /** Shows what the check says of a file that was saved, or of those that name files which were taken away. */
    async showCheck({ path = "", gone = [] }: { path?: string; gone?: readonly string[] }): Promise<void> {
      const mine = saved;
      show("wait", words.checking, path);
      const query = new URLSearchParams(gone.map((each) => ["gone", each]));
      if (path !== "") query.append("path", path);
      const answer = await fetch(`/api/admin/problems?${query}`).catch(() => undefined);
      const problems: string[] | undefined = answer?.ok ? (await answer.json()).labelled : undefined;
      if (mine !== saved) return;
      if (problems === undefined) show("wait", words.unchecked, path);
      else if (problems.length === 0) show("good", words.good, path);
      else show("bad", words.problems, path, problems);
    },
  };
}

/** Lets the page ask for a passkey (public/admin/admin.js). Resolves with whether the editor is signed in again. */
function signInAgain(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  document.dispatchEvent(new CustomEvent("signed-out", { detail: resolve }));
  return promise;
}

/** Whether it's one of a save's two requests: the question what will be saved (saving.ts), and Sveltia's own. */
const isSave = ([address, options]: Parameters<typeof fetch>): boolean =>
  options?.method === "POST" && /\/(?:forms|contents)$/.test(String(address));
