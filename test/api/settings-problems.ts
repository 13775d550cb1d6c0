import { readEnv, SettingsError } from "../../api/env.ts";

/** The problems that readEnv reports for these settings. */
export function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    readEnv(source);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}
