import { makeAuthenticator } from "../api/staff/sign-in/authenticator.ts";

/**
 * An editor of the shop behind `url`, whose address is `origin`: a browser without scripts, and with a passkey made with
 * the link.
 */
export async function openEditor(url: string, origin: string, link: string) {
  let cookie = "";
  const send = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { redirect: "manual", ...init, headers: { cookie, origin, ...init.headers } });
  const post = (path: string, body: unknown) =>
    send(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const secret = new URL(link).hash.slice(1);
  const options = await post("/api/admin/passkeys/options", { link: secret });
  const device = makeAuthenticator(origin);
  const credential = device.create((await options.json()) as Parameters<typeof device.create>[0]);
  const signedIn = await post("/api/admin/passkeys", { link: secret, credential });
  cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

  const read = async (path: string) => (await send(path)).text();
  /** Fills in the form that posts to `action`, a path without its query, on a page; every box is ticked. */
  const fill = async (page: string, action: string, changes: Record<string, string> = {}) => {
    const [, query = "", inside = ""] =
      new RegExp(`<form method="post" action="${action}((?:\\?[^"]*)?)"[^>]*>([\\s\\S]*?)</form>`).exec(
        await read(page),
      ) ?? [];
    const body = new URLSearchParams(fieldsOf(inside));
    for (const [name, value] of Object.entries(changes)) body.set(name, value);
    return { submit: () => send(action + query.replaceAll("&#38;", "&"), { method: "POST", body }) };
  };
  return {
    send,
    read,
    fill,
    submit: async (...form: Parameters<typeof fill>) => (await fill(...form)).submit(),
  };
}

/** What a browser would send of a form; every box is ticked. */
function fieldsOf(form: string): [string, string][] {
  const inputs = [...form.matchAll(/<input(?=[^>]* name="([^"]*)")(?=[^>]* value="([^"]*)")[^>]*>/g)];
  const selects = [
    ...form.matchAll(/<select name="([^"]*)"[^>]*>(?:(?!<\/select>)[\s\S])*?<option value="([^"]*)" selected>/g),
  ];
  return [...inputs, ...selects].map(([, name = "", value = ""]) => [name, value]);
}
