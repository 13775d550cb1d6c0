// Which face of a page an Accept header asks for (RFC 9110 §12.5.1, §5.6).
// For njs 0.7.9: no destructuring, spread, for-of, default parameters or named groups.
// An absent, malformed or unsatisfiable header gets HTML, never 406.

/**
 * A longer header counts as absent, as RFC 9110 §12.5.1 allows. A header of this length costs a worker at most 0.15 ms, half
 * of what a request may cost; the longest of a known client, Chrome's, has 135 bytes.
 */
const MAX_HEADER_BYTES = 384;

/**
 * A range that can match one of our faces, in lower case; any other is malformed or for another type, and is ignored.
 * `variant` is RFC 7763's parameter; our Markdown is GitHub's. A literal, because njs would compile a RegExp built from a
 * string again for each request.
 */
const RANGE =
  /^[ \t]*(?:\*\/\*|text\/(?:\*|html|markdown))[ \t]*(?:;[ \t]*(?:(?:q=(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)|charset=(?:utf-8|"\\?u\\?t\\?f\\?-\\?8")|variant=(?:gfm|"\\?g\\?f\\?m"))[ \t]*(?=;|$))?)*$/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const DEL = 0x7f;

/** The lowest specificity of a range that names its type and subtype. */
const EXACT_TYPE = 300;

/** Keeps in `best` the range that decides about a face: the most specific, then the one with the highest weight, then the first. */
function consider(best, specificity, weight, position) {
  if (specificity < best.specificity || (specificity === best.specificity && weight <= best.weight)) return;
  best.specificity = specificity;
  best.weight = weight;
  best.position = position;
}

/**
 * Returns the face, "html" or "md", for the elements of an Accept header. The higher weight wins, then the more specific
 * range, then the client's own order if it names both types, then HTML.
 * Uses `search` instead of `exec` and no object for each range, because in njs allocating costs more than comparing.
 */
function chooseFace(elements) {
  const html = { specificity: 0, weight: 0, position: 0 };
  const md = { specificity: 0, weight: 0, position: 0 };
  for (let i = 0; i < elements.length; i++) {
    const range = elements[i];
    if (range.search(RANGE) < 0) continue;
    const slash = range.indexOf("/");
    const namesHtml = range[slash + 1] === "h";
    const namesMd = range[slash + 1] === "m";
    let specificity = namesHtml || namesMd ? EXACT_TYPE : range[slash - 1] === "t" ? 200 : 100;
    let weight = 1;
    let equals = range.indexOf("=");
    const variant = equals > 0 && range.indexOf("variant") > 0;
    const q = equals > 0 ? range.indexOf("q=") : -1;
    for (; equals > 0; equals = range.indexOf("=", equals + 1)) specificity++;
    if (q > 0) {
      if (range.indexOf("q=", q + 2) > 0) continue;
      specificity--;
      weight = parseFloat(range.slice(q + 2));
    }
    if (!namesMd && !variant) consider(html, specificity, weight, i);
    if (!namesHtml) consider(md, specificity, weight, i);
  }
  if (md.weight !== html.weight) return md.weight > html.weight ? "md" : "html";
  if (md.weight === 0) return "html";
  if (md.specificity !== html.specificity) return md.specificity > html.specificity ? "md" : "html";
  return md.specificity >= EXACT_TYPE && md.position < html.position ? "md" : "html";
}

/**
 * Splits the header into its elements, in lower case. DEL, which never occurs in a range, replaces bytes beyond ASCII
 * (obs-text, RFC 9110 §5.5) and commas inside quoted strings (§5.6.4).
 */
function readElements(bytes) {
  const text = Buffer.from(bytes);
  const length = bytes.length;
  let quoted = false;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) quoted = !quoted;
    else if (byte >= 0x80 || (quoted && byte === COMMA)) text[i] = DEL;
    else if (quoted && byte === BACKSLASH && (bytes[i + 1] === QUOTE || bytes[i + 1] === BACKSLASH)) i++;
  }
  return text.toString().toLowerCase().split(",");
}

/**
 * Returns the face for a request. Reads bytes, because njs 0.7.9 matches strings beyond ASCII wrongly and some make it use
 * all memory. Reads $http_accept, as the map does: r.headersIn would join repeated lines, of which nginx 1.22 has the first.
 */
function face(r) {
  const bytes = r.rawVariables.http_accept || [];
  if (bytes.length === 0 || bytes.length > MAX_HEADER_BYTES) return "html";
  return chooseFace(readElements(bytes));
}

export default { face };
