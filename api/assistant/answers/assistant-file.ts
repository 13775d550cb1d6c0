import { Compile } from "typebox/schema";
import { AssistantFile } from "../../contract/built-files/assistant.ts";
import {
  type BuildLog,
  type Builds,
  followFile,
  type OfBuild,
  parseFile,
  requireShape,
} from "../../platform/private-pages/builds.ts";

const FILE = "assistant.json";
const validator = Compile(AssistantFile);

/** Follows the facts of the site's builds. */
export const openAssistantFile = (builds: Builds, log: BuildLog): OfBuild<AssistantFile> =>
  followFile({
    builds,
    file: FILE,
    make: (bytes) => requireShape(FILE, parseFile(FILE, bytes.toString()), validator),
    name: "facts of the assistant",
    log,
  });
