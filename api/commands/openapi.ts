import { writeFile } from "node:fs/promises";
import { readArguments } from "../read-arguments.ts";
import { runCommand } from "../run-command.ts";
import { emitDocument } from "./openapi-document.ts";

await runCommand(async () => {
  readArguments("Usage: npm run openapi\n\nWrites api/openapi.json from the schemas of the API's routes.", {});
  await writeFile(new URL("../openapi.json", import.meta.url), await emitDocument());
  console.log("Wrote api/openapi.json.");
});
