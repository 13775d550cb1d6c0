// The package has no types. These cover what we use, by its README and source (1.7.1).
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
