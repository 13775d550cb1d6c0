import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCounter } from "../../../../api/people/counter/built-counter.ts";
import { pages } from "../../../../api/people/pages.ts";
import { openSearch } from "../../../../api/people/search/search.ts";
import { followBuilds, openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { problemPage } from "../../../../api/platform/private-pages/problem-page.ts";
import { openTemplates } from "../../../../api/platform/private-pages/templates.ts";
import { openMails } from "../../../../api/selling/mail/render.ts";
import { buildSessionFolder } from "../../../../site/private-pages/session-folder.ts";
import { startApi } from "../../api.ts";
import { buildTemplates, frame, startShopApi } from "./pages.ts";

const view = { title_word: "problem.not_found.title", text_word: "problem.not_found.text", reference: null };

/** Templates in a folder of their own, and what they log. */
async function open() {
  const location = await buildTemplates();
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  const templates = openTemplates({ builds: openBuilds(location), pages, log: { info: write, error: write } });
  const rebuild = (name: string) =>
    buildSessionFolder({
      ...{ frame: frame.replace("| Shop", `| ${name}`), out: location, search: Buffer.of(), assistant: "{}" },
      shop: { name, locale: "en-GB", currency: "EUR" },
    });
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(location, file), change(readFileSync(join(location, file), "utf8")));
  return { templates, log, rebuild, edit, render: () => templates.render(problemPage, view) };
}

test("every page of the API has a template that uses only what its view has", async () => {
  const { templates } = await open();
  expect(await templates.findFault()).toBeUndefined();
});

test("a new build is used within moments, without a restart", async () => {
  const { rebuild, render } = await open();
  expect(await render()).toContain("<title>Page not found | Shop</title>");
  await rebuild("Another");
  await expect.poll(render).toContain("<title>Page not found | Another</title>");
});

test("templates that don't fit leave the last ones in use, and the log says once what differs", async () => {
  const { templates, log, rebuild, edit, render } = await open();
  await render();
  edit("manifest.json", (text) => text.replace('"title_word"', '"title_word","lines[].total"'));
  await expect
    .poll(() => templates.findFault())
    .toBe(
      "The templates of the private pages don't fit this release of the API: 'problem' uses `lines[].total`, which its view lacks. Site and API must have the same code: restart the API and the workers with the site's, or build the site again with theirs.",
    );
  expect(await render()).toContain("<title>Page not found | Shop</title>");
  edit("manifest.json", (text) => text.replace('"problem":', '"other":'));
  await expect.poll(() => templates.findFault()).toContain("there is no template 'problem'");
  await rebuild("Another");
  await expect.poll(render).toContain("| Another</title>");
  expect(await templates.findFault()).toBeUndefined();
  expect(log.filter((line) => line.includes("lines[].total"))).toHaveLength(1);
});

test("a fault is over when the templates in use are the newest again", async () => {
  const { templates, edit, render } = await open();
  await render();
  edit("manifest.json", (text) => text.replace('"problem":', '"other":'));
  await expect.poll(() => templates.findFault()).toContain("there is no template 'problem'");
  edit("manifest.json", (text) => text.replace('"other":', '"problem":'));
  await expect.poll(() => templates.findFault()).toBeUndefined();
});

test("a broken manifest is named, with what to do", async () => {
  const { templates, log, edit, render } = await open();
  await render();
  edit("manifest.json", (text) => text.slice(0, 20));
  await expect
    .poll(() => templates.findFault())
    .toMatch(/^manifest\.json of the site's build is broken \(.+\): build the site again, with `npm run build`\.$/);
  expect(log.at(-1)).toMatch(/`npm run build`\. The last templates stay in use\.$/);
});

test("a reason ends with a full stop before what follows it in the log and in ready", async () => {
  const log: string[] = [];
  const write = (message: string) => void log.push(message);
  const made = ["one"];
  const make = async () => made.pop() ?? Promise.reject(new Error("undefined filter: x, line:1, col:4"));
  const folder = await buildTemplates();
  const follower = followBuilds({
    ...{ builds: openBuilds(folder), make, name: "mails" },
    log: { info: write, error: write },
  });
  await follower.current();
  writeFileSync(join(folder, "manifest.json"), "{}");
  await expect.poll(() => follower.findFault()).toBe("undefined filter: x, line:1, col:4.");
  expect(log.at(-1)).toBe("undefined filter: x, line:1, col:4. The last mails stay in use.");
});

test("files of two builds are never mixed", async () => {
  const { templates, edit, render } = await open();
  await render();
  edit("problem.liquid", (text) => text.replace("| Shop", "| Half"));
  edit("manifest.json", (text) => `${text}\n`);
  await expect.poll(() => templates.findFault()).toContain("are of two builds");
  expect(await render()).toContain("| Shop</title>");
});

test("a view with errors says so in the page's title", async () => {
  const { templates } = await open();
  const withErrors = { ...view, errors: [{ field: "email", message: "x" }] };
  expect(await templates.render(problemPage, withErrors)).toContain("<title>Error: Page not found | Shop</title>");
});

test("ready tells about templates, and without any of them people are asked to come back", async () => {
  const { app, sessionPages } = await startShopApi();
  expect((await app.inject("/api/health/ready")).json()).toEqual({ status: "ready" });
  rmSync(sessionPages, { recursive: true });
  const { app: without } = await startApi({ sessionPages });
  const ready = await without.inject("/api/health/ready");
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    {
      status: "ready",
      private_pages: "SESSION_PAGES has no templates of the private pages: run `npm run build`.",
    },
  ]);
  const answer = await without.inject("/cart/nothing");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
});

test("all that is made of a build shares one look at the dev server, and asks again at the next request", async () => {
  const folder = await buildTemplates();
  const served = await startApi();
  let looks = 0;
  served.app.get("/.session/*", async (request) => {
    const path = decodeURI(request.url.replace("/.session/", ""));
    if (path === "manifest.json") looks += 1;
    return readFileSync(join(folder, path));
  });
  const location = `${await served.app.listen({ host: "127.0.0.1", port: 0 })}/.session`;
  onTestFinished(() => served.app.close());
  const builds = openBuilds(location);
  const log = { info: () => {}, error: () => {} };
  const followers = [
    openTemplates({ builds, pages, log }),
    openSearch(builds, log),
    openCounter(builds, log),
    openMails(builds, log),
  ];
  const ask = () => Promise.all(followers.map((each) => each.findFault()));
  expect(await ask()).toEqual([undefined, undefined, undefined, undefined]);
  expect(looks).toBe(1);
  await ask();
  await expect.poll(() => looks).toBe(2);
});

test("ready says why a new build's search or counter isn't used", async () => {
  const { app, sessionPages } = await startShopApi();
  const ready = async () => (await app.inject("/api/health/ready")).json();
  expect(await ready()).toEqual({ status: "ready" });
  const manifest = join(sessionPages, "manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"search":"\w+"/, '"search":"0"'));
  writeFileSync(join(sessionPages, "counter.json"), "{}");
  const why = /search\.index is of another build .* The counter is of another release/;
  await expect.poll(ready).toEqual({ status: "ready", private_pages: expect.stringMatching(why) });
});

test("while someone edits, templates come from the dev server at every request", async () => {
  const { app, sessionPages } = await startShopApi();
  const served = await startApi();
  served.app.get("/.session/*", async (request) => {
    const path = decodeURI(request.url.replace("/.session/", ""));
    return readFileSync(join(sessionPages, path));
  });
  const location = `${await served.app.listen({ host: "127.0.0.1", port: 0 })}/.session`;
  onTestFinished(() => served.app.close());
  const templates = openTemplates({ builds: openBuilds(location), pages, log: app.log });
  expect(await templates.render(problemPage, view)).toContain("| Shop</title>");
  const shop = { name: "Edited", locale: "en-GB", currency: "EUR" };
  await buildSessionFolder({
    frame: frame.replace("| Shop", "| Edited"),
    out: sessionPages,
    shop,
    search: Buffer.of(),
    assistant: "{}",
  });
  await expect.poll(() => templates.render(problemPage, view)).toContain("| Edited</title>");
});
