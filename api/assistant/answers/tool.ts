import type { Static, TObject } from "typebox";
import type { AssistantFile } from "../../contract/built-files/assistant.ts";
import type { SearchIndex } from "../../people/search/search-index.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { OfBuild } from "../../platform/private-pages/builds.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Speech } from "./speech.ts";

/** What every tool can use. */
export interface ToolContext {
  db: Db;
  conversation: Conversation;
  speech: Speech;
  /** What the shop's own search knows. */
  search: OfBuild<SearchIndex>;
  /** What it doesn't need. */
  facts: OfBuild<AssistantFile>;
}

/** What a tool answers. Both hold only our own words: no text that a customer wrote, since it could instruct the model. */
interface ToolAnswer {
  /** Facts for the model. */
  result: Readonly<Record<string, unknown>>;
  /** A sentence that the assistant may speak, in the shop's language. */
  say: string;
}

/** Something that an assistant can do. */
export interface Tool<Arguments extends TObject = TObject> {
  /** `[a-z_]`, as both vendors allow. */
  name: string;
  /** For the model: what it does, when to call it, and limits that schemas of the vendors can't say. */
  description: string;
  /** Strict: `additionalProperties: false`, and every field required; null, or left out, where it doesn't apply. */
  arguments: Arguments;
  example: Static<Arguments>;
  /** Whether it changes something, so that an Idempotency-Key has an effect. */
  writes: boolean;
  /** Throws ApiError with a detail that a model can act on. */
  call(context: ToolContext, args: Static<Arguments>): Promise<ToolAnswer>;
}

/** Types a tool by its arguments. */
export const defineTool = <Arguments extends TObject>(tool: Tool<Arguments>): Tool => tool;
