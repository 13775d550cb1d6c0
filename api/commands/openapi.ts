import { writeFile } from "node:fs/promises";
import { emitDocument } from "./openapi-document.ts";

const file = new URL("../openapi.json", import.meta.url);
await writeFile(file, await emitDocument());
console.log("Wrote api/openapi.json.");
