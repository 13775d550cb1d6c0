import { expect, test } from "vitest";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import { openMigratedDatabase } from "../../api.ts";
import { run } from "../../server-process.ts";
import { startEditors } from "./editors-shop.ts";

/** Runs the command on the database at `url`. Returns its exit code and what it printed. */
async function edit(url: string, ...args: string[]): Promise<string> {
  const env = { DATABASE_URL: url, BASE_URL: "https://shop.example" };
  const { ended, output } = run("commands/editor.ts", env, ...args);
  return `${await ended} ${output.stdout}${output.stderr}`.trim();
}

test("the command adds an editor with a link that works, lists and removes them", async () => {
  const { db, url } = await openMigratedDatabase();
  const { browser } = await startEditors({ db });
  expect(await edit(url, "list")).toBe("0 There are no editors.");
  const added = await edit(url, "add", "Ann Archer", "ann@shop.example");
  const [, link = ""] = /^0 Works once.*\nhttps:\/\/shop\.example\/admin\/enrol#([\w-]{43})$/.exec(added) ?? [];
  const waiting = "0 passkeys, a link that wasn't used yet";
  expect(await edit(url, "list")).toBe(`0 Ann Archer <ann@shop.example>: may content; ${waiting}`);
  expect((await browser().enrol(link)).statusCode).toBe(204);
  expect(await edit(url, "list")).toMatch(
    /^0 Ann Archer <ann@shop.example>: may content; 1 passkey, last used \d{4}-[\d-]+ [\d:]{5} UTC$/,
  );
  expect(await edit(url, "link", "ann@shop.example", "--lost")).toMatch(/^0 Works once/);
  expect(await edit(url, "may", "ann@shop.example", "orders, content")).toBe(
    "0 ann@shop.example may now: content,orders.",
  );
  expect(await edit(url, "list")).toBe(`0 Ann Archer <ann@shop.example>: may content,orders; ${waiting}`);
  expect(await edit(url, "add", "Bob", "bob@shop.example", "--may", "shop")).toMatch(/^0 Works once/);
  expect(await edit(url, "list")).toContain(`Bob <bob@shop.example>: may shop; ${waiting}`);
  expect(await edit(url, "remove", "ann@shop.example")).toBe(
    "0 ann@shop.example is signed out and can't sign in again.",
  );
  expect(await edit(url, "remove", "ann@shop.example")).toBe("1 ann@shop.example isn't an editor.");
});

test("wrong arguments show the usage and change nothing", async () => {
  const { db, url } = await openMigratedDatabase();
  for (const wrong of [
    ["add", "Ann"],
    ["add", "Ann", "a@b.c", "--lost"],
    ["link", "a@b.c", "--may", "orders"],
    ["may", "a@b.c"],
    ["x"],
    ["list", "--x"],
  ])
    expect(await edit(url, ...wrong)).toMatch(/^1 (?:Unknown option .+\n\n)?Usage: npm run editor/);
  for (const wrong of ["order", "", "content,", "content;orders"])
    expect([wrong, await edit(url, "add", "Ann", "a@b.c", `--may=${wrong}`)]).toEqual([
      wrong,
      "1 Rights are content, orders, shop: write some of them with commas between, such as content,orders.",
    ]);
  expect(await db.selectFrom("editors").selectAll().execute()).toEqual([]);
});

test("for an address at which passkeys don't work no link is printed, but editors are listed and removed", async () => {
  const { db, url } = await openMigratedDatabase();
  const env = { DATABASE_URL: url, BASE_URL: "http://127.0.0.1:8080" };
  const editHere = async (...args: string[]) => {
    const { ended, output } = run("commands/editor.ts", env, ...args);
    return [await ended, output.stdout, output.stderr];
  };
  const refused = [1, "", expect.stringContaining("passkeys need https and a name, or http://localhost")];
  expect(await editHere("add", "Ann", "a@b.c")).toEqual(refused);
  await addEditor(db, { name: "Ann", email: "a@b.c" });
  expect(await editHere("link", "a@b.c")).toEqual(refused);
  expect(await editHere("list")).toEqual([0, "Ann <a@b.c>: may content; 0 passkeys, a link that wasn't used yet\n", ""]);
  expect(await editHere("remove", "a@b.c")).toEqual([0, "a@b.c is signed out and can't sign in again.\n", ""]);
});
