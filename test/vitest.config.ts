import { defineConfig } from "vitest/config";

const shop = ["end-to-end/**/*.test.ts"];
/** What starts and stops whole shops, many processes at a time, has the machine to itself. */
const alone = ["end-to-end/commands/start.test.ts"];

export default defineConfig({
  test: {
    // On a machine that has other work, processes, builds and pages may take long: only what hangs fails by these.
    testTimeout: 240_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for other processes; vitest's own choice leaves a core of two to itself.
    maxWorkers: 2,
    projects: [
      // Parts on their own, with a private database server.
      {
        extends: true,
        test: {
          name: "parts",
          include: ["**/*.test.ts"],
          exclude: ["**/node_modules/**", ...shop],
          globalSetup: "./global-setup.ts",
        },
      },
      // The whole shop, started once for all that only look at it.
      { extends: true, test: { name: "shop", include: shop, exclude: alone, globalSetup: "./shop-setup.ts" } },
      { extends: true, test: { name: "alone", include: alone, sequence: { groupOrder: 1 } } },
    ],
  },
});
