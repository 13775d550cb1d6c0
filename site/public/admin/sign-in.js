// The script of /admin/sign-in and /admin/enrol, and of signing in again within a page: asks the API what to sign, the browser to
// sign it, and the API whether it is right. Every word is in the page.
// In the CMS, Sveltia's own elements may have such an attribute, too.
const button = document.querySelector(":is(#signed-out, body > main) [data-action]");
const outcome = button.closest("main, dialog").querySelector("[role=status]");
/** A page with a form that is to be sent afterwards. */
const isInPlace = button.closest("dialog") !== null;

// Where the editor was going; only ever a page of the admin, `..` followed. The CMS keeps its place behind the #.
const wanted = new URLSearchParams(location.search).get("next") ?? "";
const ofAdmin = /^\/admin(\/|$)/;
const isOfAdmin = ofAdmin.test(wanted) && ofAdmin.test(new URL(wanted, location.origin).pathname);
const next = isOfAdmin ? wanted + location.hash : "/admin";

const actions = {
  sign_in: {
    address: "/api/admin/session",
    next,
    body: {},
    ask: (options) =>
      navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  },
  enrol: {
    address: "/api/admin/passkeys",
    next: "/admin",
    // The link's token is behind the #, which no browser sends and no log sees.
    body: { link: location.hash.slice(1) },
    ask: (options) =>
      navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  },
};

/** Each is the name of a message. */
const ANSWERS = { 400: "refused", 401: "refused", 404: "link", 429: "limited" };
const FAULTS = {
  NotAllowedError: "cancelled",
  AbortError: "cancelled",
  InvalidStateError: "exists",
  SecurityError: "refused",
  NotSupportedError: "unsupported",
};

function show(name) {
  for (const message of outcome.children) message.hidden = message.dataset.message !== name;
  outcome.classList.toggle("bad", name !== "waiting");
  outcome.hidden = false;
}

async function post(address, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => undefined);
  if (answer?.ok) return answer;
  throw ANSWERS[answer?.status] ?? "unavailable";
}

async function run({ address, next, body, ask }) {
  const options = await post(`${address}/options`, body);
  show("waiting");
  const credential = await ask(await options.json());
  await post(address, { ...body, credential: credential.toJSON() });
  if (!isInPlace) return location.replace(next);
  outcome.hidden = true;
  button.dispatchEvent(new Event("signed-in", { bubbles: true }));
}

button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await run(actions[button.dataset.action]);
  } catch (fault) {
    show(typeof fault === "string" ? fault : (FAULTS[fault.name] ?? "unavailable"));
  }
  button.disabled = false;
});

if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  show("unsupported");
  button.hidden = true;
}

// A link from another site leads here although the editor is signed in: it comes without the cookie, which is strict.
if (!isInPlace && button.dataset.action === "sign_in" && (await fetch(actions.sign_in.address)).ok)
  location.replace(next);
