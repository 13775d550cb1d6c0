import { expect, test } from "vitest";
import { tools } from "../../../api/assistant/tools.ts";
import { readEnv, SettingsError } from "../../../api/env.ts";
import { token as partnerToken } from "../api.ts";
import { startShopApi } from "../platform/private-pages/pages.ts";
import { assistantToken, otherAssistantToken, signIdentity, startAssistant } from "./assistant-shop.ts";

const definitions = "/api/assistant/tools?format=openai";

test("without a token in the settings, every address of the assistant is 404", async () => {
  const { app } = await startShopApi();
  for (const url of [definitions, "/api/assistant", "/api/assistant/tools/hand_over"])
    for (const authorization of [`Bearer ${assistantToken}`, `Bearer ${partnerToken}`])
      expect((await app.inject({ method: "GET", url, headers: { authorization } })).statusCode).toBe(404);
});

test("either of two tokens opens the door, and a partner's or none doesn't; unknown tools and paths are 401 without one", async () => {
  const { app } = await startAssistant();
  const get = async (url: string, authorization?: string) =>
    (await app.inject({ method: "GET", url, headers: authorization ? { authorization } : {} })).statusCode;
  for (const token of [assistantToken, otherAssistantToken])
    expect(await get(definitions, `Bearer ${token}`)).toBe(200);
  for (const wrong of [undefined, `Bearer ${partnerToken}`])
    for (const url of [definitions, "/api/assistant/tools/hand_over", "/api/assistant/x"])
      expect(await get(url, wrong)).toBe(401);
  expect(await get("/api/orders", `Bearer ${assistantToken}`)).toBe(401);
  expect(await get("/api/assistant/tools/unknown", `Bearer ${assistantToken}`)).toBe(404);
  expect(await get("/api/assistant/tools/hand_over", `Bearer ${assistantToken}`)).toBe(405);
});

test("every answer is kept by nobody and indexed by nobody", async () => {
  const { app, call } = await startAssistant();
  const bare = await app.inject({ method: "GET", url: definitions });
  for (const { headers } of [bare, await call("hand_over", {}), await call("unknown", {})]) {
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["x-robots-tag"]).toBe("noindex");
  }
});

test("the assistant's tokens and secrets are read from the settings, and none may be a partner's", () => {
  const settings = {
    API_PORT: "3000",
    BASE_URL: "https://shop.example",
    DATABASE_URL: "mysql://a:b@localhost:3306/shop",
    ERP_PULL_API_TOKEN: partnerToken,
  };
  const problemsOf = (more: Record<string, string>) => {
    try {
      readEnv({ ...settings, ...more });
      return [];
    } catch (error) {
      return error instanceof SettingsError ? error.problems : [String(error)];
    }
  };
  expect(readEnv(settings).assistant).toBe(undefined);
  const both = `${assistantToken},${otherAssistantToken}`;
  expect(readEnv({ ...settings, ASSISTANT_API_TOKEN: both, ASSISTANT_IDENTITY_SECRET: both }).assistant).toEqual({
    tokens: [assistantToken, otherAssistantToken],
    identitySecrets: [assistantToken, otherAssistantToken],
  });
  expect(problemsOf({ ASSISTANT_API_TOKEN: `${assistantToken},${partnerToken}` })[0]).toMatch(/token in common/);
  expect(problemsOf({ ASSISTANT_API_TOKEN: "short" })[0]).toMatch(/^ASSISTANT_API_TOKEN is not usable/);
  expect(problemsOf({ ASSISTANT_IDENTITY_SECRET: both })[0]).toMatch(/ASSISTANT_API_TOKEN is missing/);
});

test("an identity counts if it is signed and hasn't expired; any other is refused, and none is a visitor", async () => {
  const { call, db } = await startAssistant();
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const claims = { channel: "whatsapp", subject: "+420601234567", exp };
  const [example] = tools.filter(({ name }) => name === "hand_over").map((tool) => tool.example);
  const ask = async (identity?: string) => {
    const headers = identity === undefined ? {} : { "assistant-identity": identity };
    return (await call("hand_over", example ?? {}, { headers })).statusCode;
  };
  const signed = signIdentity(claims);
  const [head, payload, signature] = signed.split(".");
  const others = Buffer.from(JSON.stringify({ ...claims, subject: "+1" })).toString("base64url");
  for (const refused of [
    "",
    "x",
    `${head}.${payload}.`,
    `${head}.${others}.${signature}`,
    `${signed}.x`,
    signIdentity(claims, { secret: "another-secret-of-at-least-32-letters" }),
    signIdentity(claims, { alg: "none" }),
    signIdentity({ ...claims, exp: exp - 120 }),
    signIdentity({ ...claims, exp: undefined }),
    signIdentity({ ...claims, subject: "" }),
    signIdentity({ ...claims, channel: "What’s up" }),
  ])
    expect([refused, await ask(refused)]).toEqual([refused, 401]);
  expect(await db.selectFrom("cases").selectAll().execute()).toEqual([]);
  expect([await ask(signed), await ask()]).toEqual([200, 200]);
  expect(await db.selectFrom("cases").select(["channel", "subject"]).orderBy("id").execute()).toEqual([
    { channel: "whatsapp", subject: "+420601234567" },
    { channel: null, subject: null },
  ]);
});
