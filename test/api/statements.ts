import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Returns the value of `run` and every statement that mysql2 sends meanwhile. */
export async function countStatements<T>(run: () => Promise<T>): Promise<{ statements: string[]; value: T }> {
  const statements: string[] = [];
  const record = (message: unknown) => statements.push((message as { query: string }).query);
  const channels = ["tracing:mysql2:query:start", "tracing:mysql2:execute:start"];
  for (const channel of channels) subscribe(channel, record);
  const value = await run();
  for (const channel of channels) unsubscribe(channel, record);
  return { statements, value };
}
