import text from "../../../content/store.yaml?raw";
import { parseShop } from "../../content-schema/shop.ts";

/** The shop's settings: content/store.yaml, its base address replaced by BASE_URL where the environment has one. */
export const store = parseShop(text, process.env["BASE_URL"]);
