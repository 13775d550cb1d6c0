/** What leads to an object in a schema of api/openapi.json. */
interface Leading<Schema> {
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  $ref?: string | undefined;
}

/** The object at a path, also through lists and references: `Order`, `Order.lines.tax_lines`; undefined if there is none. */
export function findObject<Schema extends Leading<Schema>>(
  schemas: Readonly<Record<string, Schema>>,
  path: string,
): Schema | undefined {
  /** The object itself: the items of a list, the target of a reference. */
  function resolve(field: Schema | undefined): Schema | undefined {
    if (field?.items !== undefined) return resolve(field.items);
    return field?.$ref === undefined ? field : schemas[field.$ref.split("/").at(-1) ?? ""];
  }
  const [name = "", ...steps] = path.split(".");
  const found = resolve(steps.reduce((at, step) => resolve(at)?.properties?.[step], schemas[name]));
  return found?.properties === undefined ? undefined : found;
}
