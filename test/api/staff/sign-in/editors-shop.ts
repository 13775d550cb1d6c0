import { RIGHTS, type Right } from "../../../../api/contract/staff-rights.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import { type Overrides, startApi } from "../../api.ts";
import { makeAuthenticator } from "./authenticator.ts";

type App = Awaited<ReturnType<typeof startApi>>["app"];

/** An editor's browser, as nginx passes its requests on. */
export function openBrowser(app: App, { origin = "https://shop.example", address = "192.0.2.1" } = {}) {
  const jar = new Map<string, string>();
  const send = async (method: "GET" | "POST", url: string, body?: unknown, type = "application/json") => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const { host, protocol } = new URL(origin);
    const answer = await app.inject({
      ...{ method, url },
      headers: {
        ...{ "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1), "x-forwarded-for": address },
        ...(cookie && { cookie }),
        ...(body !== undefined && { "content-type": type }),
        ...(type === "application/x-www-form-urlencoded" && { origin, "sec-fetch-site": "same-origin" }),
      },
      ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    for (const { name, value } of answer.cookies)
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    return answer;
  };
  const get = (url: string) => send("GET", url);
  const post = (url: string, body?: unknown, type?: string) => send("POST", url, body, type);
  /** As the browser sends a form of the shop's own page. */
  const submit = (url: string, fields: Record<string, string> = {}) =>
    send("POST", url, new URLSearchParams(fields).toString(), "application/x-www-form-urlencoded");
  /** What nginx is told of the browser: the editor, or the status of the refusal. */
  const whoAmI = async () => {
    const { statusCode, headers } = await get("/api/admin/session");
    if (statusCode !== 204) return statusCode;
    return [headers["editor-name"], headers["editor-email"]].map((text) => decodeURIComponent(String(text))).join(" ");
  };
  const enrol = async (link: string, device = makeAuthenticator(origin)) => {
    const options = await post("/api/admin/passkeys/options", { link });
    if (options.statusCode !== 200) return options;
    return post("/api/admin/passkeys", { link, credential: device.create(options.json()) });
  };
  const signIn = async (
    device: ReturnType<typeof makeAuthenticator>,
    ...changes: Parameters<typeof device.get>[1][]
  ) => {
    const options = await post("/api/admin/session/options");
    return post("/api/admin/session", { credential: device.get(options.json(), changes[0]) });
  };
  return { jar, get, post, submit, whoAmI, enrol, signIn };
}

export const ann = { name: "Ann Archer", email: "ann@shop.example" };

/** A shop that editors can edit, at its own address. */
export async function startEditors(overrides: Overrides = {}) {
  const api = await startApi({ editors: { origin: "https://shop.example", hasContent: true }, ...overrides });
  return { ...api, browser: (options?: Parameters<typeof openBrowser>[1]) => openBrowser(api.app, options) };
}

/** The same with Ann, who has one device, is signed in with it, and may do everything or what `may` says. */
export async function startWithAnn({ may = RIGHTS, ...overrides }: Overrides & { may?: readonly Right[] } = {}) {
  const shop = await startEditors(overrides);
  const device = makeAuthenticator();
  const browser = shop.browser();
  await browser.enrol(await addEditor(shop.db, ann, new Set(may)), device);
  return { ...shop, device, browser, newBrowser: shop.browser };
}

/** Makes every row of a table so old. */
export const age = (db: Db, table: "editor_links" | "editor_sessions" | "editor_challenges", milliseconds: number) =>
  db
    .updateTable(table)
    .set({ created_at: fromNow(-milliseconds) })
    .execute();
