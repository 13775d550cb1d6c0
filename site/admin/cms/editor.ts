// The script of /admin/cms/: Sveltia with this shop's configuration, already signed in.
import CMS from "@sveltia/cms";
import { prepareSave, takenAwayBy, watchTexts } from "./saving.ts";

const answer = await fetch("/admin/cms/config.json", { credentials: "same-origin" });
if (!answer.ok) location.assign(`/admin/sign-in?next=${encodeURIComponent("/admin/cms/")}`);
const { config, words } = await answer.json();

// Sveltia shows an answer's `message`. nginx, which knows that nobody is signed in or nothing answers, has a `detail`.
const { fetch: send } = window;
window.fetch = async (...request) => {
  const answer = await send(...request);
  const gone = takenAwayBy(request);
  if (gone.paths.length > 0 && answer.ok) void showProblems({ gone: gone.paths });
  // Sveltia says no more of it than that there was an error.
  if (gone.isAll && answer.status === 409)
    void answer
      .clone()
      .json()
      .then(({ message }) => show(words.failed, [message]));
  if (!answer.headers.get("Content-Type")?.startsWith("application/problem+json")) return answer;
  const problem = await answer.json();
  const message = answer.status === 401 ? words.signed_out : problem.detail;
  return Response.json({ ...problem, message }, { status: answer.status });
};

// Sveltia asks for a token otherwise. It means nothing: the session's cookie counts.
localStorage.setItem("sveltia-cms.user", JSON.stringify({ backendName: "gitea", token: "session" }));
watchTexts();
CMS.registerEventListener({
  name: "preSave",
  handler: async ({ entry }) => entry.set("data", await prepareSave(entry.toJS())),
});
CMS.registerEventListener({
  name: "postSave",
  // Sveltia waits for the handler, and the check takes seconds.
  handler: ({ entry }) => void showProblems({ path: entry.get("path") }),
});
CMS.init({
  config: {
    ...config,
    backend: { ...config.backend, base_url: location.origin, api_root: `${location.origin}/api/admin` },
  },
});
document.querySelector("#loading")?.remove();

/** Shows what the check says of a file that was saved, or of those that name files which were taken away. */
async function showProblems({ path, gone = [] }: { path?: unknown; gone?: readonly string[] }): Promise<void> {
  const query = new URLSearchParams(gone.map((each) => ["gone", each]));
  if (path !== undefined) query.append("path", String(path));
  const answer = await fetch(`/api/admin/problems?${query}`);
  const { problems } = answer.ok ? await answer.json() : { problems: [] };
  if (problems.length > 0) show(words.check, problems);
}

/** Shows a list in a dialog. */
function show(title: string, lines: readonly string[]): void {
  const dialog = document.createElement("dialog");
  const heading = document.createElement("h2");
  heading.textContent = title;
  const list = document.createElement("ul");
  list.append(
    ...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
  const close = document.createElement("button");
  close.textContent = words.close;
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(heading, list, close);
  document.body.append(dialog);
  dialog.showModal();
}
