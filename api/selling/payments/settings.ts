/** Where card payments are taken. */
export interface StripeSettings {
  secretKey: string;
  /** The webhook's signing secret, or two while it is rolled. */
  webhookSecrets: readonly string[];
  /** Where Stripe's API is. */
  api: URL;
}

type Source = Readonly<Record<string, string | undefined>>;

/** Where Stripe is. */
export const STRIPE_API = "https://api.stripe.com";

const KEY_ADVICE =
  "Write the secret key of your Stripe account, or a restricted one: STRIPE_SECRET_KEY=sk_test_… (Dashboard, Developers, API keys).";
const WEBHOOK_ADVICE =
  "Write the signing secret of the webhook, STRIPE_WEBHOOK_SECRET=whsec_…, or two separated by a comma while it is rolled (Dashboard, Developers, Webhooks).";

/**
 * Reads STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, both or neither, and STRIPE_API_URL; an empty one counts as unset.
 * Adds one sentence to `problems` for each invalid one, without quoting it. Returns undefined when cards aren't taken,
 * or a setting is invalid.
 */
export function readStripe(source: Source, problems: string[]): StripeSettings | undefined {
  const before = problems.length;
  const [secretKey, secrets] = [source["STRIPE_SECRET_KEY"], source["STRIPE_WEBHOOK_SECRET"]];
  if (secretKey && !/^[sr]k_(test|live)_[A-Za-z0-9]{8,}$/.test(secretKey))
    problems.push(`STRIPE_SECRET_KEY is not usable. ${KEY_ADVICE}`);
  if (secrets && !/^whsec_[A-Za-z0-9+/=_-]{8,}(,whsec_[A-Za-z0-9+/=_-]{8,})?$/.test(secrets))
    problems.push(`STRIPE_WEBHOOK_SECRET is not usable. ${WEBHOOK_ADVICE}`);
  if (secrets && !secretKey)
    problems.push(`STRIPE_SECRET_KEY is missing while STRIPE_WEBHOOK_SECRET is set. ${KEY_ADVICE}`);
  if (secretKey && !secrets)
    problems.push(`STRIPE_WEBHOOK_SECRET is missing while STRIPE_SECRET_KEY is set. ${WEBHOOK_ADVICE}`);
  const api = source["STRIPE_API_URL"] || STRIPE_API;
  // Plain http on this machine alone, for the stand-in of the tests.
  if (!URL.canParse(api) || !/^(https:\/\/[A-Za-z0-9.-]+|http:\/\/(127\.0\.0\.1|localhost))(:[0-9]+)?$/.test(api))
    problems.push("STRIPE_API_URL is not usable. Leave it out, unless you test against a stand-in for Stripe.");
  if (problems.length > before || !secretKey || !secrets) return undefined;
  return { secretKey, webhookSecrets: secrets.split(","), api: new URL(api) };
}
