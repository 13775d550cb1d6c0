/**
 * Replaces each `{{name}}` of a template. `file` is for the error that a name without a value throws: a mistyped one must
 * not become an empty path.
 */
export const fill = (file: string, template: string, values: Readonly<Record<string, string | undefined>>): string =>
  template.replace(/\{\{([\w\s-]*)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`${file} uses ${placeholder}, which has no value.`);
    return value;
  });
