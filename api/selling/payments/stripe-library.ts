import { createRequire } from "node:module";
import type Stripe from "stripe";

const require = createRequire(import.meta.url);

/** Stripe's library, loaded when a shop that takes cards first needs it: it takes a start 0.1 s and 30 MB. */
export const loadStripe = (): typeof Stripe => require("stripe");
