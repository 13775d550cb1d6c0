import { defineConfig } from "vitest/config";

const shop = ["end-to-end/**/*.test.ts"];
const slow = ["**/*.slow.test.ts"];
/** Minutes of releases and restarts under load. */
const production = ["production/**/*.test.ts"];
/** Starts and stops whole shops, many processes at a time, so it runs by itself. */
const alone = ["end-to-end/commands/{start,stop,release}.slow.test.ts"];

/** A process loads the API, and starts a browser, once for all its files, which is most of what a small file takes. */
const shared = { isolate: false };
/** Each part alone, with a private database server. */
const ofParts = { globalSetup: "./global-setup.ts", ...shared };
/** One running shop for all tests that only read from it. */
const ofShop = { globalSetup: "./shop-setup.ts", ...shared };

export default defineConfig({
  test: {
    // Long enough for a busy machine: only a hang reaches them.
    testTimeout: 240_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Tests wait for other processes and for a mail or a poll to come due, so that two leave a third of two cores idle.
    maxWorkers: 3,
    // Tests of a file that mostly wait for slow pages run side by side.
    maxConcurrency: 3,
    projects: [
      // `npm test`
      {
        extends: true,
        test: {
          name: "parts",
          include: ["**/*.test.ts"],
          exclude: ["**/node_modules/**", ...shop, ...slow, ...production],
          ...ofParts,
        },
      },
      { extends: true, test: { name: "shop", include: shop, exclude: slow, ...ofShop } },
      // `npm run test:slow`, the last two one after the other
      {
        extends: true,
        test: { name: "slow parts", include: slow, exclude: ["**/node_modules/**", ...shop], ...ofParts },
      },
      {
        extends: true,
        test: { name: "slow shop", include: ["end-to-end/**/*.slow.test.ts"], exclude: alone, ...ofShop },
      },
      { extends: true, test: { name: "alone", include: alone, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: { name: "production", include: production, fileParallelism: false, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
