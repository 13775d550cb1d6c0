import { writeFile } from "node:fs/promises";
import { runCommand } from "../run-command.ts";
import { emitDocument } from "./openapi-document.ts";

await runCommand(async () => {
  await writeFile(new URL("../openapi.json", import.meta.url), await emitDocument());
  console.log("Wrote api/openapi.json.");
});
