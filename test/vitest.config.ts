import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { secondsOf } from "./costs/budget.ts";

const shop = ["end-to-end/**/*.test.ts"];
/**
 * Starts and stops whole shops, many processes at a time, or machines: one file after another. And as many long builds as let it
 * end when the others do.
 */
const heavy = [
  "production/**/*.test.ts",
  "end-to-end/commands/{start,stop,release}.slow.test.ts",
  "site/build/quick-build.slow.test.ts",
];
const { TEST_SCOPE: scope, TEST_ORDER: seed } = process.env;
const left = [
  "**/node_modules/**",
  ...(scope === "usual" ? ["**/*.slow.test.ts"] : []),
  ...(scope === "usual" || scope === "all" ? ["**/*.deep.test.ts"] : []),
];

/** What each scope runs on MySQL itself as well: what differs most between it and MariaDB, or all that has a database. */
const onMysqlToo: Record<string, string[]> = {
  all: [
    "api/operation/backup/restore.slow.test.ts",
    "api/people/checkout/placing.test.ts",
    "api/platform/database/{migration-lock,transactions}.test.ts",
    "api/partners/orders/order-race.test.ts",
  ],
  deep: ["api/**/*.test.ts"],
};
const onMysql = onMysqlToo[scope ?? ""] ?? [];

/** A process loads the API, and starts a browser, once for all its files, which is most of what a small file takes. */
const shared = { isolate: false };

/** The dearest files first, so that none is left when all others have ended. */
class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = secondsOf();
    const of = ({ moduleId }: TestSpecification) => seconds(relative(import.meta.dirname, moduleId));
    return files.toSorted((a, b) => of(b) - of(a) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    setupFiles: ["./costs/setup.ts"],
    // Long enough for a busy machine: only a hang reaches them.
    testTimeout: 600_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 240_000 } },
    // Tests wait for other processes and for a mail or a poll to come due, so that two leave a third of two cores idle.
    maxWorkers: 3,
    // Tests of a file that mostly wait for slow pages run side by side.
    maxConcurrency: 3,
    sequence: seed === undefined ? { sequencer: DearestFirst } : { shuffle: { files: true }, seed: Number(seed) },
    projects: [
      // Each part alone, with a private database server.
      {
        extends: true,
        test: {
          name: "parts",
          include: ["**/*.test.ts"],
          exclude: [...left, ...shop, ...heavy],
          globalSetup: "./global-setup.ts",
          ...shared,
        },
      },
      // One running shop for all tests that only read from it.
      {
        extends: true,
        test: { name: "shop", include: shop, exclude: [...left, ...heavy], globalSetup: "./shop-setup.ts", ...shared },
      },
      { extends: true, test: { name: "heavy", include: heavy, exclude: left } },
      // With both, where there is a MySQL.
      {
        extends: true,
        test: {
          name: "mysql",
          include: onMysql,
          globalSetup: "./mysql-setup.ts",
          env: { TEST_LEDGERS: "" },
          ...shared,
        },
      },
    ],
  },
});
