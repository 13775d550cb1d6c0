import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The manifest of a build, with what a mail's text uses. */
interface Manifest {
  templates: Record<string, { variables: string[] }>;
  files: string[];
  hash: string;
}

/** Changes a build in place, as if another release had made it. */
export function rebuild(folder: string, change: (files: Map<string, string>, manifest: Manifest) => void): void {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const files = new Map(manifest.files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  change(files, manifest);
  const hash = createHash("sha256");
  for (const [path, text] of files) {
    writeFileSync(join(folder, path), text);
    hash.update(`${text.length}\n${text}`);
  }
  writeFileSync(
    join(folder, "manifest.json"),
    JSON.stringify({ ...manifest, files: [...files.keys()], hash: hash.digest("hex") }),
  );
}

/** Makes it a build of an earlier release, of a shop that takes no orders. */
export function removeMails(folder: string): void {
  rebuild(folder, (files, { templates }) => {
    for (const path of files.keys()) if (path.startsWith("mails/")) files.delete(path);
    for (const name of Object.keys(templates)) if (name.startsWith("mails/")) delete templates[name];
  });
}
