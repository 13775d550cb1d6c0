/**
 * The environment of a program that a test starts: without the settings of whoever runs the tests, and without vitest's
 * BASE_URL. NODE_COMPILE_CACHE is where `run.ts` lets all processes of a run keep compiled modules; the others are for costs/.
 */
export function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_OPTIONS, TEST_COSTS, TEST_CASE } = process.env;
  const counted = TEST_COSTS ? { NODE_OPTIONS, TEST_COSTS, TEST_CASE } : {};
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...counted, ASTRO_TELEMETRY_DISABLED: "1" };
}
