// The package has no types of its own. This is what we use of it, as its README and source (1.7.1) have it.
declare module "@adobe/structured-data-validator" {
  export default class Validator {
    validate(extracted: { jsonld: Record<string, object[]> }): Promise<
      {
        severity: "ERROR" | "WARNING";
        issueMessage: string;
        fieldNames: string[];
        path?: { type?: string; property?: string }[];
      }[]
    >;
  }
}
