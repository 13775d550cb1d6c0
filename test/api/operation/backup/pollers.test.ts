import { expect, test } from "vitest";
import { openMigratedDatabase } from "../../api.ts";
import { makeBackup, openEmptyDatabase } from "./backup-shop.ts";
import { pollThroughLoss } from "./partner.ts";

test("partners that poll through a restore to the past miss nothing, and see no id and no version twice", async () => {
  const { db } = await openMigratedDatabase();
  let backup = "";
  await pollThroughLoss({
    db,
    async backUp() {
      backup = await makeBackup(db);
    },
    async restore() {
      const target = await openEmptyDatabase();
      const [code, stdout, stderr] = await target.restore(backup).result;
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("The next order has the id 1000001.");
      return target.db;
    },
  });
});
