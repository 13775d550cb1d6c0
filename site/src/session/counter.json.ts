// The relations of “Build your counter”, which session/ takes over into the API's folder.
import { describeCounter } from "../shop/counter.ts";

export const GET = async () => Response.json(await describeCounter());
