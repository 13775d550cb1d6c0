import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { createMetrics, serveMetrics } from "../../../api/platform/monitoring/metrics.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { startApi } from "../../api/api.ts";
import { debianProgram } from "../../debian-program.ts";

const FOLDER = join(import.meta.dirname, "../../../nginx/production/prometheus");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

interface Rule {
  alert: string;
  expr: string;
  annotations?: { summary: string; action: string };
}
const rules = (): { groups: [{ name: string; rules: Rule[] }] } => parse(read("alerts.yml"));

/** The names of metrics in an expression: what is followed by a selector, or stands alone. */
const metricsIn = (expression: string) =>
  expression.match(/\b[a-z]+(?:_[a-z0-9]+)+\b(?=\s*(?:[{[)<>/*]|$))|\bup\b|\bmails\b(?=\{)/g) ?? [];

test("alerts and dashboard speak only of metrics that the API and node_exporter have", async () => {
  const metrics = createMetrics();
  metrics.watchQueues(async () => null);
  await serveMetrics(metrics, await findFreePort()); // with those of the process
  const known = new Set(metrics.registry.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_bucket`]));
  for (const name of ["up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"]) known.add(name);
  const [{ rules: alerts }] = rules().groups;
  const { panels }: { panels: { title: string; description?: string; targets: { expr: string }[] }[] } = JSON.parse(
    read("dashboard.json"),
  );
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const used = new Set(expressions.flatMap(metricsIn));
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect(used.size).toBeGreaterThan(10);
  const { app } = await startApi({ sessionPages: "/private/pages" });
  await app.ready();
  const routes = expressions.flatMap((expression) =>
    [...expression.matchAll(/route="([^"]+)"/g)].map(([, url = ""]) => url),
  );
  expect(routes.filter((url) => !app.hasRoute({ method: "POST", url }))).toEqual([]);
  for (const name of panels.flatMap(({ description = "" }) =>
    description
      .replace(/^Alert: /, "")
      .split(", ")
      .filter(Boolean),
  ))
    expect(alerts.map(({ alert }) => alert)).toContain(name);
  for (const { alert, annotations } of alerts)
    expect({
      alert,
      says: [annotations?.summary, annotations?.action].every((text) => /\w{3}.*\.$/.test(text ?? "")),
    }).toEqual({ alert, says: true });
});

const promtool = debianProgram("prometheus", "usr/bin/promtool");

test.skipIf(!promtool)("each alert rings for its fault and for nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "tf-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) => spawnSync(promtool ?? "", args, { cwd: folder, encoding: "utf8" });
  for (const name of ["alerts.yml", "scrape.yml"]) copyFileSync(join(FOLDER, name), join(folder, name));
  expect(run("check", "config", "scrape.yml")).toMatchObject({ status: 0 });
  // What an alert says is for people: promtool would have it repeated.
  const { groups } = rules();
  for (const rule of groups[0].rules) delete rule.annotations;
  writeFileSync(join(folder, "alerts.yml"), stringify({ groups }));
  copyFileSync(join(import.meta.dirname, "alerts.promtool.yml"), join(folder, "tests.yml"));
  const { status, stdout, stderr } = run("test", "rules", "tests.yml");
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  const tested = readFileSync(join(folder, "tests.yml"), "utf8");
  for (const { alert } of groups[0].rules) expect(tested).toContain(`alertname: ${alert}`);
});
