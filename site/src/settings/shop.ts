import text from "@content/store.yaml?raw";
import { parseShop } from "../../content-schema/shop.ts";

/** The shop's settings: content/store.yaml, with BASE_URL from the environment, if set, as base address. */
export const shop = parseShop(text, process.env["BASE_URL"]);

/** Whether customers can pay by card: the environment has the key of the payment provider (api/selling/payments/settings.ts). */
export const takesCards = Boolean(process.env["STRIPE_SECRET_KEY"]);
