import { defineConfig } from "vitest/config";

const shop = ["end-to-end/**/*.test.ts"];
/** What promises a time has the machine to itself. */
const alone = ["end-to-end/start.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 120_000,
    // A page may take its time on a machine that has other work.
    expect: { poll: { timeout: 5_000 } },
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
