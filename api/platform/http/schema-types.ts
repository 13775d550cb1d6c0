import Type, { type Static, type TSchema } from "typebox";

/**
 * Building blocks of the API's schemas, which describe, serialise and type the answers and become openapi.json. They
 * keep to OpenAPI 3.0: `nullable` instead of type null.
 */

/** The same schema, or null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });

/** An enumeration of strings. */
export const oneOf = <const T extends string>(values: readonly T[], options: { description: string; example?: T }) =>
  Type.Unsafe<T>({ type: "string", enum: values, ...options });

/** A reference to a registered schema by its `$id`. */
export const reference = <T extends TSchema>(id: string, _schema: T) => Type.Unsafe<Static<T>>({ $ref: `${id}#` });

export const text = (description: string, example: string) => Type.String({ description, example });

export const textOrNull = (description: string, example: string) => nullable(text(description, example));

/** An id, a sequence or a count: JSON integers up to 2^53 - 1, which every JSON parser reads exactly. */
export const wholeNumber = (description: string, example: number, minimum = 0) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, example });

export const money = (description: string, example: string) =>
  Type.String({ pattern: "^-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$", description, example });

export const time = (description: string, example: string) =>
  Type.String({ format: "date-time", description: `${description} RFC 3339 in UTC with milliseconds.`, example });

/** A time that clients send, in any zone. A Date has no leap second, so that a 60th second is refused. */
export const givenTime = (description: string, example: string) =>
  Type.String({
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$",
    format: "date-time",
    title: `Write an RFC 3339 time, such as ${example}.`,
    description,
    example,
  });

/** For URLs without query parameters: any is refused. */
export const noParameters = Type.Object({}, { additionalProperties: false });
