import { pageFields, strict } from "./fields.ts";
import { questions } from "./questions.ts";

/** content/guides/<slug>.md or .mdx: advice that helps to choose, fit or look after something. */
export const guideSchema = strict({ ...pageFields, questions });
