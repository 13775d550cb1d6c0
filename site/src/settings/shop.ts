import text from "../../../content/store.yaml?raw";
import { parseStore } from "../../content-schema/store.ts";

/** The shop's settings: content/store.yaml, its base address replaced by BASE_URL where the environment has one. */
export const shop = parseStore(text, process.env["BASE_URL"]);
