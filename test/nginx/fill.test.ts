import { expect, test } from "vitest";
import { fill } from "../../nginx/fill.ts";

test("every placeholder of a template gets its value, an empty one too", () => {
  expect(fill("unit", "{{root}}/a {{root}}{{none}}", { root: "/srv", none: "" })).toBe("/srv/a /srv");
});

test.each(["{{rot}}", "{{ root }}", "{{}}", "{{toString}}", "{{content}}"])(
  "%s, which has no value, is refused with the file's name",
  (placeholder) => {
    const values = { root: "/srv", content: undefined };
    expect(() => fill("twinfront-site.service", `A={{root}}\nB=${placeholder}\n`, values)).toThrow(
      `twinfront-site.service uses ${placeholder}, which has no value.`,
    );
  },
);
