import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, isInstalled } from "./developers-page.ts";

/** How a sample is run: its file, the code that answers each line of standard input, and the commands. */
interface Language {
  name: string;
  fence: string;
  needs: readonly string[];
  file: string;
  driver: string;
  commands: readonly (readonly [string, ...string[]])[];
}

// Each line has six fields in base64: secret, id, timestamp, signatures, body, now. The answer is 1, 0, or x for an exception.
const LANGUAGES: readonly Language[] = [
  {
    name: "TypeScript",
    fence: "ts",
    needs: [],
    file: "sample.mts",
    driver: `
      import { readFileSync } from "node:fs";
      for (const line of readFileSync(0, "utf8").trim().split("\\n")) {
        const [secret, id, timestamp, signatures, body, now] = line.split(" ").map((field) => Buffer.from(field.slice(1), "base64"));
        try {
          console.log(isGenuine(String(secret), String(id), String(timestamp), String(signatures), body, Number(now)) ? 1 : 0);
        } catch { console.log("x"); }
      }`,
    commands: [[process.execPath, "--no-warnings", "sample.mts"]],
  },
  {
    name: "Python",
    fence: "python",
    needs: ["python3"],
    file: "sample.py",
    driver: `
import sys
for line in sys.stdin:
    secret, id, timestamp, signatures, body, now = (base64.b64decode(field[1:]) for field in line.split())
    try:
        print(int(is_genuine(secret.decode(), id.decode(), timestamp.decode(), signatures.decode(), body, int(now))))
    except ValueError:
        print("x")`,
    commands: [["python3", "sample.py"]],
  },
  {
    name: "PHP",
    fence: "php",
    needs: ["php"],
    file: "sample.php",
    driver: `
      foreach (file('php://stdin') as $line) {
        [$secret, $id, $timestamp, $signatures, $body, $now] = array_map(fn ($field) => base64_decode(substr($field, 1)), explode(' ', trim($line)));
        try { echo is_genuine($secret, $id, $timestamp, $signatures, $body, (int) $now) ? 1 : 0, "\\n"; }
        catch (InvalidArgumentException) { echo "x\\n"; }
      }`,
    commands: [["php", "sample.php"]],
  },
  {
    name: "C#",
    fence: "csharp",
    needs: ["mcs", "mono"],
    file: "sample.cs",
    driver: `
      public static class Driver { public static void Main() {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
          byte[][] bytes = line.Split(' ').Select(field => Convert.FromBase64String(field.Substring(1))).ToArray();
          string[] text = bytes.Select(Encoding.UTF8.GetString).ToArray();
          try {
            bool answer = Webhook.IsGenuine(text[0], text[1], text[2], text[3], bytes[4], DateTimeOffset.FromUnixTimeSeconds(long.Parse(text[5])));
            Console.WriteLine(answer ? "1" : "0");
          } catch (ArgumentException) { Console.WriteLine("x"); }
        }
      } }`,
    commands: [
      ["mcs", "-out:sample.exe", "sample.cs"],
      ["mono", "sample.exe"],
    ],
  },
];

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString("base64")}`;
const [secret, retired] = [secretOf("n"), secretOf("o")];
const now = 1_795_000_000;
const id = "msg_order_1001_3";
const body = '{"type":"order.pushed","data":{"name":"Žluťoučký 店 👍","total":"10.00"}}\n';
const sign = (key: string, time = now, text = body) => new Webhook(key).sign(id, new Date(time * 1000), text);

const genuine = { secret, id, timestamp: String(now), signatures: sign(secret), body, now: String(now) };
const of = (changes: Partial<typeof genuine>) => ({ ...genuine, ...changes });
const sentAt = (time: number) => of({ timestamp: String(time), signatures: sign(secret, time) });

/** The inputs of every sample, and the answer that each must give. */
const CASES: readonly (readonly [what: string, typeof genuine, answer: "1" | "0" | "x"])[] = [
  ["a genuine message", genuine, "1"],
  ["one signed with the retired secret too", of({ signatures: `${sign(retired)} ${sign(secret)}` }), "1"],
  ["the other way round", of({ signatures: `${sign(secret)} ${sign(retired)}` }), "1"],
  ["a signature of a kind not known yet beside it", of({ signatures: `v1a,AAAA ${sign(secret)} v2,€` }), "1"],
  ["a secret without its prefix", of({ secret: secret.slice("whsec_".length) }), "1"],
  ["an empty body", of({ body: "", signatures: sign(secret, now, "") }), "1"],
  ["one sent 5 minutes ago", sentAt(now - 300), "1"],
  ["one sent 5 minutes ahead", sentAt(now + 300), "1"],
  ["one sent longer ago", sentAt(now - 301), "0"],
  ["one sent further ahead", sentAt(now + 301), "0"],
  ["another secret's signature", of({ signatures: sign(retired) }), "0"],
  ["a changed body", of({ body: body.replace("10.00", "99.00") }), "0"],
  ["a body that was parsed and written again", of({ body: body.trim() }), "0"],
  ["a changed id", of({ id: "msg_order_1001_4" }), "0"],
  ["a changed timestamp", of({ timestamp: String(now + 1) }), "0"],
  ["a signature under another version", of({ signatures: sign(secret).replace("v1,", "v2,") }), "0"],
  ["a signature without its version", of({ signatures: sign(secret).slice("v1,".length) }), "0"],
  ["a signature cut short", of({ signatures: sign(secret).slice(0, -4) }), "0"],
  ["no headers at all", of({ id: "", timestamp: "", signatures: "" }), "0"],
  ["a timestamp that is not a number", of({ timestamp: "soon" }), "0"],
  ["a timestamp with more to it", of({ timestamp: `${now}\n` }), "0"],
  ["an endless timestamp", of({ timestamp: "9".repeat(5000) }), "0"],
  ["an empty secret, with which anybody could sign", of({ secret: "" }), "x"],
];

function answersOf({ fence, file, driver, commands }: Language): string[] {
  const cwd = mkdtempSync(join(tmpdir(), "twinfront-sample-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, file), codeOf("Verifying the signature", fence) + driver);
  // A letter before each field preserves empty ones.
  const field = (text: string) => `_${Buffer.from(text).toString("base64")}`;
  const input = CASES.map(([, each]) => Object.values(each).map(field).join(" ")).join("\n");
  const [output] = commands.map(([program, ...args]) => execFileSync(program, args, { cwd, input })).reverse();
  return String(output).trim().split("\n");
}

const runnable = LANGUAGES.filter(({ needs }) => needs.every(isInstalled));
const missing = LANGUAGES.filter((language) => !runnable.includes(language));
if (missing.length > 0) console.info(`Not run for want of ${missing.flatMap(({ needs }) => needs).join(", ")}.`);

test.each(runnable)("the $name on the developer page accepts genuine messages and no others", (language) => {
  const answers = answersOf(language);
  expect(CASES.map(([what], index) => [what, answers[index]])).toEqual(CASES.map(([what, , answer]) => [what, answer]));
});

test("the page of the connector shows the file that the tests run", () => {
  const connector = readFileSync(join(import.meta.dirname, "../../fixtures/erp-connector/connector.ts"), "utf8");
  const page = readFileSync(
    join(import.meta.dirname, "../../../site/src/developers/pages/developers-connector.mdx"),
    "utf8",
  );
  expect(page).toContain(`\n\`\`\`ts\n${connector}\`\`\`\n`);
});
