import text from "../../../content/store.yaml?raw";
import { parseStore } from "../../content-schema/store.ts";

/** The shop's settings: content/store.yaml, with BASE_URL from the environment, if set, as base address. */
export const shop = parseStore(text, process.env["BASE_URL"]);
