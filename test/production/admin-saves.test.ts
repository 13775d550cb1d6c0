import { test } from "vitest";
import { expectSecondSaverToBeTold } from "../site/admin/savers.ts";

test("of two editors who save the same file at once the second is told, 200 times, and nothing is lost", async () => {
  await expectSecondSaverToBeTold(200);
}, 1_200_000);
