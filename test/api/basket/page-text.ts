/** The text of a page's main part as a person reads it: without tags, with blanks as one. */
export function readMain(html: string): string {
  const [, main = ""] = /<main>([\s\S]*)<\/main>/.exec(html) ?? [];
  return main
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|#39|#34|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", amp: "&" };
