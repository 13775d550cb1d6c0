import { expect, onTestFinished, test } from "vitest";
import { startShopApi } from "../api/platform/private-pages/pages.ts";
import { runNginx } from "./run-nginx.ts";

test("a buy link has both faces, by Accept or by .md, and takes an odd SKU", async () => {
  const { app } = await startShopApi();
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx({ "index.html": "<html>home" }, Number(port));
  onTestFinished(() => nginx.stop());
  const table: [string, string, string][] = [
    ["/buy/KES-C2-BK:2", "text/html", "text/html"],
    ["/buy/KES-C2-BK:2", "text/markdown", "text/markdown"],
    ["/buy/KES-C2-BK:2.md", "text/html", "text/markdown"],
    ["/buy/~YS9iLGM6JQ:1,KES-CABLE:1", "*/*", "text/html"],
    ["/buy/~YS9iLGM6JQ:1.md?country=DE", "*/*", "text/markdown"],
  ];
  for (const [path, accept, type] of table) {
    const answer = await fetch(nginx.url + path, { headers: { accept } });
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, `${type}; charset=utf-8`]);
    expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    expect(answer.headers.get("vary")).toBe("Accept, Accept-Encoding");
    expect(answer.headers.get("set-cookie")).toBeNull();
    const text = await answer.text();
    expect(text).toContain("Kestrel C2 scanner");
    expect(text.includes("a/b,c:%")).toBe(path.includes("~"));
  }
});
