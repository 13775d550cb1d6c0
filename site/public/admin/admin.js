// The script of every page of /admin for who is signed in. It says what the editor waits for, sends no form twice, keeps what was
// typed where the session has ended or the page is left, and shows how far a publication is. Every word is in the page.
const note = document.querySelector("#wait");
const said = note.querySelector("[role=status]");
const signedOut = document.querySelector("#signed-out");

/** A publication's step may last a second. */
const FOLLOW_EVERY_MS = 1_000;

const say = (text) => {
  said.textContent = text;
};

/** The form that is on its way, the button that sent it, and whether it may leave now. */
let sending;
let pressed;
let isReady = false;

function press(button) {
  pressed = button;
  pressed?.setAttribute("aria-busy", "true");
}

function stay(text = "") {
  sending = undefined;
  isReady = false;
  pressed?.removeAttribute("aria-busy");
  say(text);
}

/** Asks for a passkey in place. Resolves with whether the editor is signed in again. */
async function signInAgain() {
  await import("./sign-in.js");
  const { promise, resolve } = Promise.withResolvers();
  signedOut.returnValue = "";
  signedOut.addEventListener("close", () => resolve(signedOut.returnValue === "signed in"), { once: true });
  signedOut.showModal();
  return promise;
}
signedOut.addEventListener("signed-in", () => signedOut.close("signed in"));
// The CMS, which sends its own saves again.
document.addEventListener("signed-out", async ({ detail: resolve }) => resolve(await signInAgain()));

/** Whether what is sent now would be taken: a page instead of the form would lose what was typed. */
async function canSend() {
  const answer = await fetch("/api/admin/session").catch(() => undefined);
  if (answer?.status === 401) return (await signInAgain()) ? true : "";
  return answer === undefined || answer.status >= 500 ? note.dataset.unreachable : true;
}

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  // A file is its answer: the page stays, and nothing says when it has come.
  if ("download" in form.dataset) return;
  if (form.method === "get") return press(submitter);
  if (form.method !== "post" || (isReady && form === sending)) return;
  if (sending) return event.preventDefault();
  sending = form;
  press(submitter);
  say(form.dataset.wait ?? note.dataset.wait);
  // Signing out, in the header, needs no session.
  if (!form.closest("main")) return;
  event.preventDefault();
  const outcome = await canSend();
  if (outcome !== true) return stay(outcome);
  isReady = true;
  form.requestSubmit(submitter);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-wait]");
  if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) say(link.dataset.wait);
});
addEventListener("pageshow", () => stay());

/** Whether a control has another value than the page came with. Boxes to tick are chosen anew in no time. */
function isChanged(control) {
  if (control.options) return [...control.options].some((option) => option.selected !== option.defaultSelected);
  return (
    !["hidden", "checkbox", "radio"].includes(control.type) && control.value !== (control.defaultValue ?? control.value)
  );
}

addEventListener("beforeunload", (event) => {
  const forms = [...document.querySelectorAll("main form[method=post]")].filter((form) => form !== sending);
  if (!forms.some((form) => [...form.elements].some(isChanged))) return;
  event.preventDefault();
  // The editor is asked, and may stay.
  setTimeout(stay);
});

/** Shows how far a publication is, in the element that a screen reader listens to, and in the end the page as it is then. */
async function follow(shown) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_EVERY_MS));
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => undefined);
    // Who isn't signed in any more is led to where one signs in.
    if (answer?.redirected) return location.reload();
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("main > [role=status]");
    if (!fresh) return location.reload();
    if (shown.innerHTML !== fresh.innerHTML) shown.innerHTML = fresh.innerHTML;
    if (fresh.dataset.running !== undefined) continue;
    shown.className = fresh.className;
    delete shown.dataset.running;
    for (const node of [...shown.parentNode.childNodes]) if (node !== shown) node.remove();
    const nodes = [...fresh.parentNode.childNodes];
    shown.before(...nodes.slice(0, nodes.indexOf(fresh)));
    return shown.after(...nodes.slice(nodes.indexOf(fresh) + 1));
  }
}
const running = document.querySelector("main > [data-running]");
if (running) follow(running);
