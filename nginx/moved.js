// Where an address is now that has neither page nor file: the build writes `.moved/rows/` (site/finish/moved-pages.ts, which
// says what is in them). For njs 0.7.9, as negotiation.js.
// biome-ignore-start lint/style/useNodejsImportProtocol: njs has its own modules of these names.
import crypto from "crypto";
import fs from "fs";
import querystring from "querystring";

// biome-ignore-end lint/style/useNodejsImportProtocol: as above.

/** No old address is longer, in bytes: the check of content/ allows no more. */
const LONGEST = 1000;
/** Parameters that are read of a query. */
const MOST_PARAMETERS = 30;
const SLASH = 0x2f;
/** The home page with a query (locations.conf). */
const HOME = "/_home";

/** Returns the Location of what moved, "gone", or "". $args is ASCII already (answers/moved.conf). */
function to(request) {
  let path = request.rawVariables.uri;
  if (path.length > LONGEST) return "";
  if (path.toString() === HOME) path = Buffer.from("/");
  const isMarkdown = path.slice(-3).toString() === ".md";
  while (path[path.length - 1] === SLASH) path = path.slice(0, -1);
  const folder = `${request.variables.document_root}/.moved/rows/`;
  const args = request.variables.args || "";
  // Both faces move, unless an old address itself ended in .md.
  return find(folder, path, args, "") || (isMarkdown ? find(folder, path.slice(0, -3), args, ".md") : "");
}

function find(folder, path, args, ending) {
  const rows = read(folder, path);
  let plain = "";
  for (let i = 0; i < rows.length; i++) {
    if (rows[i][0] !== "?") plain = rows[i];
    else if (args) {
      const found = findByQuery(folder, path, rows[i].slice(1).split("&"), args, ending);
      if (found) return found;
    }
  }
  return plain ? write(plain, args, ending) : "";
}

/** The row with the most parameters that are all in the query, whose rows are found by one of `names`. */
function findByQuery(folder, path, names, args, ending) {
  const written = args.split("&", MOST_PARAMETERS);
  const parameters = written.map(canonical);
  let best = "";
  let conditions = [];
  for (let i = 0; i < parameters.length; i++) {
    if (names.indexOf(parameters[i].split("=", 1)[0]) < 0) continue;
    const rows = read(folder, Buffer.concat([path, Buffer.from(`?${parameters[i]}`)]));
    for (let j = 0; j < rows.length; j++) {
      const end = rows[j].indexOf(" ");
      const all = rows[j].slice(0, end).split("&");
      if (all.length <= conditions.length || !all.every((each) => parameters.indexOf(each) >= 0)) continue;
      best = rows[j].slice(end + 1);
      conditions = all;
    }
  }
  if (!best) return "";
  const others = args.split("&").filter((_, index) => conditions.indexOf(parameters[index]) < 0);
  return write(best, others.join("&"), ending);
}

/** A parameter as rows have it, whatever of it the client encoded. */
function canonical(parameter) {
  const at = parameter.indexOf("=");
  const name = at < 0 ? parameter : parameter.slice(0, at);
  const value = at < 0 ? "" : parameter.slice(at + 1);
  return `${decodeAndEncode(name)}=${decodeAndEncode(value)}`;
}

const decodeAndEncode = (text) => encodeURIComponent(querystring.unescape(text.replace(/\+/g, " ")));

/** A row's target with the rest of the query; of a page, in the face that was asked for. */
function write(row, args, ending) {
  if (row === "gone") return row;
  const isPage = row[0] === "p";
  const target = row.slice(2);
  const hash = target.indexOf("#");
  const address = hash < 0 ? target : target.slice(0, hash);
  const fragment = hash < 0 ? "" : target.slice(hash);
  const mark = address.indexOf("?");
  const path = mark < 0 ? address : address.slice(0, mark);
  const query = [mark < 0 ? "" : address.slice(mark + 1), args].filter((each) => each).join("&");
  const face = isPage ? ending : "";
  return `${face && path === "/" ? "/index" : path}${face}${query && "?"}${query}${fragment}`;
}

/** What rows say of a key; most often nothing. */
function read(folder, key) {
  const digest = crypto.createHash("sha256").update(key).digest("hex");
  const file = folder + digest.slice(0, 3);
  // Asked first, since an exception would take ten times as long.
  if (!fs.statSync(file, { throwIfNoEntry: false })) return [];
  return rowsOf(file, `\n${digest.slice(3, 24)} `);
}

function rowsOf(file, start) {
  let text = "";
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (_goneMeanwhile) {
    // A new build has just taken its place.
  }
  const rows = [];
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    rows.push(text.slice(at + start.length, text.indexOf("\n", at + 1)));
  return rows;
}

export default { to };
