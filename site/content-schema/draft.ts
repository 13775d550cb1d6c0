/**
 * Whether a content file's text says `draft: true` among its fields. Read from the letters, so that a draft which can't be
 * parsed yet is one too.
 */
export function isDraft(text: string): boolean {
  const [, fields = ""] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^---[ \t]*\r?$|$(?![\s\S]))/m.exec(text) ?? [];
  return /^draft:[ \t]*true[ \t]*(?:#.*)?\r?$/m.test(fields);
}
