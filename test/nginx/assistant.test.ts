import { expect, onTestFinished, test } from "vitest";
import { assistantToken, startAssistant } from "../api/assistant/assistant-shop.ts";
import { headerLines } from "./raw-request.ts";
import { runNginx } from "./run-nginx.ts";

test("the assistant's tools are answered through nginx, for nobody else to keep, index or read", async () => {
  const { app } = await startAssistant();
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx({ "index.html": "<html>home" }, Number(port));
  onTestFinished(() => nginx.stop());
  const authorization = { Authorization: `Bearer ${assistantToken}`, Origin: "https://evil.example" };
  const known = await nginx.get("/api/assistant/tools?format=openai", authorization);
  const unknown = await nginx.get("/index.php/api/assistant/tools?format=openai");
  expect([known.status, unknown.status]).toEqual([200, 401]);
  for (const answer of [known, unknown]) {
    expect(headerLines(answer, "cache-control")).toEqual(["no-store"]);
    expect(headerLines(answer, "x-robots-tag")).toEqual(["noindex"]);
    expect(headerLines(answer, "access-control-allow-origin")).toEqual([]);
  }
});
