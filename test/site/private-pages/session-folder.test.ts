import { expect, test } from "vitest";
import { makeLiquid } from "../../../api/platform/private-pages/filters.ts";
import { privatePageFiles } from "../../../site/private-pages/session-folder.ts";
import english from "../../../site/words/en/private-pages.ts";
import { frame } from "../../api/platform/private-pages/pages.ts";

const shop = { name: "Shop", locale: "en-GB", currency: "EUR" };

test("braces in the shop's own layout come out as they are", async () => {
  const odd = "{{ secret }} {% if %} {{{x}}} {{ '{' }} {";
  const files = await privatePageFiles({
    search: Buffer.of(),
    assistant: "{}",
    frame: frame.replace("| Shop", `| ${odd}`),
    shop,
  });
  const page = makeLiquid({ ...shop, words: english }).parseAndRenderSync(String(files.get("problem.liquid")), {
    ...{ page_title: "{{ name }}", title_word: "problem.not_found.title" },
    ...{ text_word: "problem.not_found.text", reference: null },
  });
  expect(page).toContain(`<title>{{ name }} | ${odd}</title>`);
  expect(page).toContain("<main><h1>Page not found</h1>");
});

test("the manifest comes last and lists every file that the API reads", async () => {
  const files = await privatePageFiles({
    search: Buffer.of(),
    assistant: "{}",
    frame,
    shop,
    files: { "store.json": "{}" },
  });
  const paths = [...files.keys()];
  expect(paths.at(-1)).toBe("manifest.json");
  const manifest = JSON.parse(String(files.get("manifest.json")));
  expect(manifest.files).toEqual(
    paths.filter((path) => !/^(errors|admin)\/|^(search\.index|(assistant|content-offers|manifest)\.json)$/.test(path)),
  );
  expect(manifest.files).toContain("store.json");
});

test("the pages of nginx's errors are in the shop's language and complete", async () => {
  const files = await privatePageFiles({
    search: Buffer.of(),
    assistant: "{}",
    frame,
    shop: { ...shop, locale: "de-CH" },
  });
  for (const status of [400, 405, 413, 414, 500, 503]) {
    const page = String(files.get(`errors/${status}`));
    expect(page).toContain("</html>");
    expect(page).not.toMatch(/\{[{%]/);
  }
  expect(files.get("errors/503")).toContain("<title>Der Shop kann gerade nicht antworten | Shop</title>");
});

test("nginx's page for who may not write is in the shop's language, and leads to the start page alone", async () => {
  const german = { ...shop, locale: "de-AT" };
  const files = await privatePageFiles({ search: Buffer.of(), assistant: "{}", frame, shop: german });
  const page = String(files.get("admin/refused"));
  expect(page).toContain("<title>Das dürfen Sie nicht | Shop verwalten</title>");
  expect(page).toContain("Texte, Produkte und Preise dieses Shops schreiben und veröffentlichen andere.");
  expect(page).not.toMatch(/\{[{%]|<!--/);
  expect([...page.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path)).toEqual(["/admin", "/admin"]);
});

test("a Swiss shop's private pages have its spelling", async () => {
  const wordsIn = async (locale: string) =>
    (await privatePageFiles({ search: Buffer.of(), assistant: "{}", frame, shop: { ...shop, locale } })).get(
      "words.json",
    );
  expect(await wordsIn("de-DE")).toMatch(/„optional“.*Straße und Hausnummer/);
  expect(await wordsIn("de-CH")).toMatch(/«optional».*Strasse und Hausnummer/);
  expect(await wordsIn("de-CH")).not.toMatch(/[ß„]/);
});

test("a frame without its places is refused", async () => {
  await expect(privatePageFiles({ search: Buffer.of(), assistant: "{}", frame: "<html>", shop })).rejects.toThrow(
    "must have one place for the content",
  );
});

test("a language without words for the private pages has English ones", async () => {
  const french = { ...shop, locale: "fr-CH" };
  const files = await privatePageFiles({ search: Buffer.of(), assistant: "{}", frame, shop: french });
  expect(JSON.parse(String(files.get("words.json")))).toEqual({ ...french, words: english });
});
