// Where an address is now that has neither page nor file: the build writes `.moved/rows` (site/finish/moved-pages.ts, which
// says what is in them). For njs 0.7.9, as negotiation.js.
// biome-ignore-start lint/style/useNodejsImportProtocol: njs has its own modules of these names.
import crypto from "crypto";
import fs from "fs";
import querystring from "querystring";

// biome-ignore-end lint/style/useNodejsImportProtocol: as above.

/** No old address is longer, in bytes: the check of content/ allows no more. */
const LONGEST = 1000;
/**
 * Of a longer query only the path counts. Of others so many parameters, and so many look-ups of those that rows have: anybody
 * can write a query (content/README.md tells owners).
 */
const LONGEST_QUERY = 1500;
const MOST_PARAMETERS = 50;
const MOST_LOOKUPS = 4;
const SLASH = 0x2f;
const UNDERSCORE = 0x5f;

/** Returns the Location of what moved, "gone", or "". $args is ASCII already (answers/moved.conf). */
function to(request) {
  const uri = request.rawVariables.uri;
  let length = uri.length;
  if (length > LONGEST) return "";
  // The home page with a query (locations.conf), the only one that begins so.
  if (uri[1] === UNDERSCORE && uri.toString() === "/_home") length = 0;
  while (length > 0 && uri[length - 1] === SLASH) length--;
  const args = request.variables.args || "";
  const fd = open(`${request.variables.document_root}/.moved/rows`);
  if (fd < 0) return "";
  const found = find(fd, uri.slice(0, length), args, "");
  // Both faces move, unless an old address itself ended in .md.
  const isTwin = !found && uri.slice(-3).toString() === ".md";
  const twin = isTwin ? find(fd, uri.slice(0, -3), args, ".md") : found;
  fs.closeSync(fd);
  return twin;
}

/** A new build may just have taken the file away. */
function open(file) {
  try {
    return fs.openSync(file);
  } catch (_notThere) {
    return -1;
  }
}

function find(fd, path, args, ending) {
  const rows = read(fd, path);
  let plain = "";
  for (let i = 0; i < rows.length; i++) {
    if (rows[i][0] !== "?") plain = rows[i];
    else if (args && args.length <= LONGEST_QUERY) {
      const found = findByQuery(fd, path, rows[i].slice(1).split("&"), args, ending);
      if (found) return found;
    }
  }
  return plain ? write(plain, args, ending) : "";
}

/** The row with the most parameters that are all in the query, whose rows are found by one of `names`. */
function findByQuery(fd, path, names, args, ending) {
  const written = args.split("&", MOST_PARAMETERS);
  const begin = written.join("&");
  // One call decodes them all, and a regular expression takes as long as that for each.
  const asked = querystring.parse(begin);
  let best = "";
  let conditions = {};
  let most = 0;
  let lookups = 0;
  for (let i = 0; i < names.length; i++) {
    const name = decodeURIComponent(names[i]);
    const values = valuesOf(asked, name);
    for (let k = 0; k < values.length && lookups < MOST_LOOKUPS; k++) {
      lookups++;
      const rows = read(fd, Buffer.concat([path, Buffer.from(`\0${names[i]}=${encodeURIComponent(values[k])}`)]));
      for (let j = 0; j < rows.length; j++) {
        const end = rows[j].indexOf(" ");
        const own = rows[j].slice(0, end);
        const parameters = own.split("&").length;
        if (parameters <= most || !contains(asked, querystring.parse(own))) continue;
        best = rows[j].slice(end + 1);
        conditions = querystring.parse(own);
        most = parameters;
      }
    }
  }
  if (!best) return "";
  const others = written.filter((each) => !contains(conditions, querystring.parse(each)));
  return write(best, others.join("&") + args.slice(begin.length), ending);
}

/** The values of a parameter that querystring.parse has read; its objects inherit functions, as others do. */
function valuesOf(query, name) {
  const values = query[name];
  if (Array.isArray(values)) return values;
  return typeof values === "string" ? [values] : [];
}

/** Whether all parameters of one query are in another, both as querystring.parse reads them. */
const contains = (query, part) =>
  Object.keys(part).every((name) => {
    const values = valuesOf(query, name);
    return valuesOf(part, name).every((value) => values.indexOf(value) >= 0);
  });

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

/**
 * What rows say of a key; most often nothing. The file begins with where each of its parts does, and is read where they say,
 * since reading a part of it takes a third of what a file of its own would.
 */
function read(fd, key) {
  const digest = crypto.createHash("sha256").update(key).digest("hex");
  const places = readBytes(fd, 8 * parseInt(digest.slice(0, 3), 16), 16).toString();
  const begin = parseInt(places.slice(0, 8), 16);
  const length = parseInt(places.slice(8), 16) - begin;
  if (!(length > 0)) return [];
  const part = readBytes(fd, begin, length);
  const start = `\n${digest.slice(3, 24)} `;
  const rows = [];
  // The bytes, because text of all of them takes longer to make than to read.
  for (let at = part.indexOf(start); at >= 0; at = part.indexOf(start, at + 1))
    rows.push(part.slice(at + start.length, part.indexOf("\n", at + 1)).toString());
  return rows;
}

function readBytes(fd, begin, length) {
  const bytes = Buffer.alloc(length);
  fs.readSync(fd, bytes, 0, length, begin);
  return bytes;
}

export default { to };
