// The script of /admin/cms/: Sveltia with this shop's configuration, already signed in.
import CMS from "@sveltia/cms";
import { prepareSave, watchTexts } from "./saving.ts";

const answer = await fetch("/admin/cms/config.json", { credentials: "same-origin" });
if (!answer.ok) location.assign(`/admin/sign-in?next=${encodeURIComponent("/admin/cms/")}`);
const { config, words } = await answer.json();

// Sveltia shows an answer's `message`. nginx, which knows that nobody is signed in or nothing answers, has a `detail`.
const { fetch: send } = window;
window.fetch = async (...request) => {
  const answer = await send(...request);
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
  handler: ({ entry }) => void showProblems(entry.get("path")),
});
CMS.init({
  config: {
    ...config,
    backend: { ...config.backend, base_url: location.origin, api_root: `${location.origin}/api/admin` },
  },
});
document.querySelector("#loading")?.remove();

/** Shows what the check says of a file that was saved. */
async function showProblems(path: unknown): Promise<void> {
  const answer = await fetch(`/api/admin/problems?path=${encodeURIComponent(String(path))}`);
  const { problems } = answer.ok ? await answer.json() : { problems: [] };
  if (problems.length === 0) return;
  const dialog = document.createElement("dialog");
  const heading = document.createElement("h2");
  heading.textContent = words.check;
  const list = document.createElement("ul");
  list.append(
    ...problems.map((problem: string) => {
      const item = document.createElement("li");
      item.textContent = problem;
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
