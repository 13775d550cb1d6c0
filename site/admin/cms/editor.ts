// The script of /admin/cms/: Sveltia with this shop's configuration, already signed in.
import CMS from "@sveltia/cms";
import { openNote } from "./note.ts";
import { prepareSave, takenAwayBy, watchTexts } from "./saving.ts";
import { giveTablesHeads } from "./tables.ts";

const answer = await fetch("/admin/cms/config.json", { credentials: "same-origin" });
if (!answer.ok) location.assign(`/admin/sign-in?next=${encodeURIComponent("/admin/cms/")}`);
const { config, words } = await answer.json();

const note = openNote(words.note);
note.watchSaves();
/** The old paths of what the last save has renamed. */
let renamed: readonly string[] = [];

// Sveltia shows an answer's `message`. nginx, which knows that nobody is signed in or nothing answers, has a `detail`.
const { fetch: send } = window;
window.fetch = async (...request) => {
  const answer = await send(...request);
  const gone = takenAwayBy(request);
  if (gone) renamed = gone.isAll ? [] : gone.paths;
  if (gone?.isAll && answer.ok) void note.showCheck({ gone: gone.paths });
  // Sveltia says no more of it than that there was an error.
  if (gone?.isAll && answer.status === 409)
    void answer
      .clone()
      .json()
      .then(({ message }) => note.showRefusal(message));
  if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) return answer;
  const problem = await answer.json();
  const message = answer.status === 401 ? words.signed_out : problem.detail;
  return Response.json({ ...problem, message }, { status: answer.status });
};

// Sveltia asks for a token otherwise. It means nothing: the session's cookie counts.
localStorage.setItem("sveltia-cms.user", JSON.stringify({ backendName: "gitea", token: "session" }));
giveTablesHeads();
watchTexts();
CMS.registerEventListener({
  name: "preSave",
  handler: async ({ entry }) => entry.set("data", await prepareSave(entry.toJS(), words.unreachable)),
});
CMS.registerEventListener({
  name: "postSave",
  // Sveltia waits for the handler, and the check takes seconds.
  handler: ({ entry }) => void note.showCheck({ path: String(entry.get("path")), gone: renamed }),
});
endSessionWithSveltia(config.logout_redirect_url);
leadOn();
CMS.init({
  config: {
    ...config,
    backend: { ...config.backend, base_url: location.origin, api_root: `${location.origin}/api/admin` },
  },
});
document.querySelector("#loading")?.remove();

/** Sveltia's *Sign Out* forgets its token, which means nothing, and leads to `place`: there, the header's ends the session. */
function endSessionWithSveltia(place: string): void {
  window.addEventListener("hashchange", () => {
    if (location.hash === place) document.querySelector<HTMLFormElement>("#header form")?.requestSubmit();
  });
}

/** How long after the last key Sveltia keeps a text that isn't saved, and then some. */
const KEPT_AFTER_MS = 1_000;

/** Lets the header lead on in the same tab, where Sveltia would open others, and asks first if Sveltia hasn't kept what was typed. */
function leadOn(): void {
  document.querySelector("#header")?.addEventListener("mousedown", (event) => event.stopPropagation());
  let typedAt = 0;
  document.addEventListener("input", () => {
    typedAt = Date.now();
  });
  window.addEventListener("beforeunload", (event) => {
    if (Date.now() - typedAt < KEPT_AFTER_MS) event.preventDefault();
  });
}
