import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { writeContent } from "../content-check/content-tree.ts";
import { csv, importText } from "./importing.ts";

test("5,000 products of two versions are imported, and again; it says in how many seconds of processor time", async () => {
  const root = writeContent();
  const rows = Array.from({ length: 5000 }, (_, index) => [
    {
      Handle: `thing-${index}`,
      Title: `Thing ${index}`,
      "Body (HTML)": `<h3>What it is</h3><p>${"It is <b>good</b>, and lasts. ".repeat(40)}</p><ul><li>One</li><li><a href="/products/thing-1">Two</a></li></ul>`,
      Vendor: "Maker",
      Type: `Kind ${index % 50}`,
      "Option1 Name": "Size",
      "Option1 Value": "S",
      "Variant SKU": `T-${index}-S`,
      "Variant Price": "5.00",
    },
    { Handle: `thing-${index}`, "Option1 Value": "M", "Variant SKU": `T-${index}-M`, "Variant Price": "6.00" },
  ]).flat() as Record<string, string>[];
  const text = csv(rows);
  const measure = async () => {
    const before = process.cpuUsage();
    const { plan } = await importText(root, text);
    const { user, system } = process.cpuUsage(before);
    console.log(
      `${plan.products.length} written, ${plan.unchanged} unchanged: ${((user + system) / 1e6).toFixed(1)} s`,
    );
    return plan;
  };
  expect((await measure()).products).toHaveLength(5000);
  expect((await measure()).unchanged).toBe(5000);
  rmSync(root, { recursive: true });
});
