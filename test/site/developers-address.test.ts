import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildSite, copyWorkspace } from "../workspace.ts";

test("every example of the developer page has the address under which the shop is built, in both faces", async () => {
  const copy = copyWorkspace();
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const { dist } = await buildSite(copy, { BASE_URL: "https://shop.test:8443" });
  for (const face of ["html", "md"]) {
    const text = readFileSync(join(dist, `developers.${face}`), "utf8");
    expect(text.match(/https?:\/\/shop\.example/g)).toBeNull();
    expect(text).toContain("curl https://shop.test:8443/api/erp/status\n");
    expect(text).toContain("https://shop.test:8443/api/orders?changed_after=");
    expect(text).toContain("https://shop.test:8443/developers#bad-request");
  }
});
