// Where a renamed page is now: the build writes `.moved/<former path>.to` for each (site/finish/moved-pages.ts).
// For njs 0.7.9, as negotiation.js.
// biome-ignore lint/style/useNodejsImportProtocol: njs has its own module of this name.
import fs from "fs";

/** Returns the present path of the page that was at $former_path, or "" if a new build has just taken its file away. */
function presentPath(request) {
  try {
    return fs.readFileSync(`${request.variables.document_root}/.moved${request.variables.former_path}.to`, "utf8");
  } catch (_notThere) {
    return "";
  }
}

export default { presentPath };
