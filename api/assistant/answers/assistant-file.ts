import { Compile } from "typebox/compile";
import { AssistantFile } from "../../contract/built-files/assistant.ts";
import { type BuildLog, type Builds, followFile, type OfBuild } from "../../platform/private-pages/builds.ts";

const validator = Compile(AssistantFile);

/** Follows the facts of the site's builds. */
export const openAssistantFile = (builds: Builds, log: BuildLog): OfBuild<AssistantFile> =>
  followFile({
    builds,
    file: "assistant",
    validator,
    make: (file) => file,
    name: "facts of the assistant",
    log,
  });
