import { expect, test } from "vitest";
import { readStripe } from "../../../../api/selling/payments/settings.ts";

const STRIPE_SECRET_KEY = "sk_test_0123456789abcdef";
const STRIPE_WEBHOOK_SECRET = "whsec_0123456789abcdef";

function read(source: Record<string, string>) {
  const problems: string[] = [];
  return { stripe: readStripe(source, problems), problems };
}

test("cards are taken with a key and one webhook secret, or two while it is rolled, and not without both", () => {
  expect(read({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET })).toEqual({
    stripe: {
      secretKey: STRIPE_SECRET_KEY,
      webhookSecrets: [STRIPE_WEBHOOK_SECRET],
      api: new URL("https://api.stripe.com"),
    },
    problems: [],
  });
  const rolled = read({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: `${STRIPE_WEBHOOK_SECRET},whsec_fedcba9876543210` });
  expect(rolled.stripe?.webhookSecrets).toHaveLength(2);
  expect(read({ STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" })).toEqual({ stripe: undefined, problems: [] });
});

test.each([
  [{ STRIPE_SECRET_KEY }, "STRIPE_WEBHOOK_SECRET is missing"],
  [{ STRIPE_WEBHOOK_SECRET }, "STRIPE_SECRET_KEY is missing"],
  [{ STRIPE_SECRET_KEY: "pk_test_0123456789abcdef", STRIPE_WEBHOOK_SECRET }, "STRIPE_SECRET_KEY is not usable"],
  [{ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: "0123456789abcdef" }, "STRIPE_WEBHOOK_SECRET is not usable"],
  [
    { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL: "http://stripe.example" },
    "STRIPE_API_URL is not usable",
  ],
  [
    { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL: "http://localhost:70000" },
    "STRIPE_API_URL is not usable",
  ],
])("settings of which one is missing or wrong are refused without being quoted", (source, problem) => {
  const { stripe, problems } = read(source);
  expect([stripe, problems.length]).toEqual([undefined, 1]);
  expect(problems[0]).toContain(problem);
  for (const value of Object.values(source)) expect(problems[0]).not.toContain(value);
});
