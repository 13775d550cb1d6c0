/**
 * The environment of a program that a test starts: without the settings of whoever runs the tests, and without vitest's
 * BASE_URL. NODE_COMPILE_CACHE is where `run.ts` lets all processes of a run keep compiled modules.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ASTRO_TELEMETRY_DISABLED: "1" };
}
