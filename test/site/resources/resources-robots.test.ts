import { expect, test } from "vitest";
import { crawlers, writeRobotsTxt } from "../../../site/src/resources/robots-txt.ts";
import { disallowedPaths } from "../../../site/urls/paths.ts";
import { words } from "../words/words.ts";

const robots = writeRobotsTxt("https://shop.example", words.robots);

type Group = { agents: string[]; rules: { allow: boolean; path: string }[] };

/** The groups of a robots.txt by RFC 9309, 2.2: user agent lines start a group, and unknown records don't end it. */
function readGroups(text: string): Group[] {
  const groups: Group[] = [];
  let isInAgents = false;
  for (const line of text.split("\n")) {
    const [, key = "", value = ""] = /^\s*([^:#]+?)\s*:\s*([^#]*?)\s*(#.*)?$/.exec(line) ?? [];
    if (/^user-agent$/i.test(key)) {
      if (!isInAgents) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.toLowerCase());
    } else if (/^(dis)?allow$/i.test(key) && value) {
      groups.at(-1)?.rules.push({ allow: key.toLowerCase() === "allow", path: value });
    }
    if (key) isInAgents = /^user-agent$/i.test(key);
  }
  return groups;
}

/** RFC 9309, 2.2.1 and 2.2.2: own groups before `*`, the longest match wins, allow wins a tie. Our rules use plain paths. */
function mayFetch(agent: string, path: string): boolean {
  const groups = readGroups(robots);
  const own = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()));
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"))).flatMap(
    ({ rules }) => rules,
  );
  const [best] = rules
    .filter((rule) => path.startsWith(rule.path))
    .sort((a, b) => b.path.length - a.path.length || Number(b.allow) - Number(a.allow));
  return best?.allow ?? true;
}

const agents = ["Googlebot", ...Object.values(crawlers).flat()];

test.each(agents)("%s may fetch pages, resources and the status, but nothing private", (agent) => {
  for (const path of [
    "/",
    "/products/a",
    "/products/a.md",
    "/llms.txt",
    "/openapi.json",
    "/products.json",
    "/api/erp/status",
  ])
    expect([path, mayFetch(agent, path)]).toEqual([path, true]);
  for (const path of [
    ...disallowedPaths,
    "/api/orders/1",
    "/api/erp/orders/1/preview",
    "/index.php/products/a",
    "/cart?x=1",
  ])
    expect([path, mayFetch(agent, path)]).toEqual([path, false]);
});

test("every crawler is named once", () => {
  const named = readGroups(robots).flatMap((group) => group.agents);
  expect(new Set(named).size).toBe(named.length);
});

test("every group states how content may be used", () => {
  const groups = robots.split(/\n\n/).filter((part) => part.includes("User-agent"));
  expect(groups).toHaveLength(4);
  for (const group of groups) expect(group).toMatch(/^Content-Signal: search=yes, ai-input=yes, ai-train=yes$/m);
});

test("the sitemap is given by its absolute URL", () => {
  expect(robots).toMatch(/^Sitemap: https:\/\/shop\.example\/sitemap\.xml$/m);
});
