import { handOver } from "./hand-over.ts";
import type { Tool } from "./tool.ts";

/** Every tool of the assistant. None places, pays or changes an order. */
export const tools: readonly Tool[] = [handOver];
