import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface Vocabulary {
  /** The properties of each type, including inherited ones. */
  types: ReadonlyMap<string, ReadonlySet<string>>;
  /** Members of enumerations, as absolute addresses. */
  members: ReadonlySet<string>;
}

/**
 * Reads schema.org's vocabulary from Google's schema-dts, which declares each type as a TypeScript interface. Only names
 * are read, because the compiler accepts unknown properties of nested unions.
 */
export function readVocabulary(): Vocabulary {
  const path = fileURLToPath(import.meta.resolve("schema-dts")).replace(/\.js$/, ".d.ts");
  const text = readFileSync(path, "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const interfaces = new Map(file.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each]));
  const types = new Map<string, ReadonlySet<string>>();
  for (const [name, declaration] of interfaces) {
    const type = readTypeName(declaration);
    if (type) types.set(type, new Set(readProperties(name, interfaces)));
  }
  return { types, members: new Set(text.match(/https:\/\/schema\.org\/\w+(?=")/g)) };
}

type Interfaces = ReadonlyMap<string, ts.InterfaceDeclaration>;

/** The interface's `"@type"`, if it declares one. */
function readTypeName({ members }: ts.InterfaceDeclaration): string | undefined {
  const type = members.filter(ts.isPropertySignature).find((member) => nameOf(member) === "@type")?.type;
  return type && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : undefined;
}

function readProperties(name: string, interfaces: Interfaces): string[] {
  const declaration = interfaces.get(name);
  if (!declaration) return [];
  const ancestors = (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression),
  );
  return [
    ...declaration.members.filter(ts.isPropertySignature).map(nameOf),
    ...ancestors.filter(ts.isIdentifier).flatMap(({ text }) => readProperties(text, interfaces)),
  ];
}

const nameOf = ({ name }: ts.PropertySignature) => (ts.isStringLiteral(name) || ts.isIdentifier(name) ? name.text : "");
