// A component's tag as text: a capital letter, then an attribute with a value or the tag's end.
const tag = /<[A-Z]\w*(?:\s+\w+=|\s*\/>).{0,40}|<\/[A-Z]\w*>/;
// A module's first lines as text.
const module = /^(?:import\s+.{1,80}\s+from\s+["']|import\s+["']|export\s+(?:const|default|function)\s).{0,40}/;

/** The source code of a component that a text would show, with what follows; undefined without it. */
export function leakedSource(text: string, startsParagraph: boolean): string | undefined {
  return (tag.exec(text) ?? (startsParagraph ? module.exec(text) : null))?.[0];
}
