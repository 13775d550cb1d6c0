// Which face of a page an Accept header asks for, by RFC 9110 §12.5.1 and §5.6.
// Runs in nginx's njs 0.7.9: no destructuring, spread, for-of, default parameters or named groups.
// Anything absent, malformed or unsatisfiable gets HTML: Markdown is for whoever asks for it, and nobody gets 406.

/**
 * The longest header that is read, in bytes; a longer one counts as absent, which RFC 9110 §12.5.1 allows. Reading this
 * much takes a worker 0.15 ms at worst, half of what a request may cost; the longest known client, Chrome, sends 135.
 */
const MAX_HEADER_BYTES = 384;

/**
 * A range that can match one of our faces, in lower case. What doesn't fit this is malformed or about other types, and
 * decides nothing. `variant` is RFC 7763's parameter; our Markdown is GitHub's.
 * A literal: made of a string it would be compiled anew for each request.
 */
const RANGE =
  /^[ \t]*(?:\*\/\*|text\/(?:\*|html|markdown))[ \t]*(?:;[ \t]*(?:(?:q=(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)|charset=(?:utf-8|"\\?u\\?t\\?f\\?-\\?8")|variant=(?:gfm|"\\?g\\?f\\?m"))[ \t]*(?=;|$))?)*$/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const DEL = 0x7f;

/** The least specificity of a range that names its type in full. */
const EXACT_TYPE = 300;

/** Takes a range's place as the one that decides about a face: the most specific; of equals the heaviest, then the first. */
function consider(best, specificity, weight, position) {
  if (specificity < best.specificity || (specificity === best.specificity && weight <= best.weight)) return;
  best.specificity = specificity;
  best.weight = weight;
  best.position = position;
}

/**
 * The face, "html" or "md", for the elements of an Accept header.
 * Higher weight wins; then the more specific range; then the client's own order where it names both types; then HTML.
 * `search` and not `exec`, and no object for each range: what njs makes costs it more than what it compares.
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
 * The elements of the list, in lower case. DEL, which no range has, stands for each byte beyond ASCII (obs-text, RFC 9110
 * §5.5), and for the commas of quoted strings (§5.6.4), which separate nothing.
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
 * The face for a request. njs 0.7.9 matches strings beyond ASCII wrongly, and some make it fill all memory: it gets none.
 * Of $http_accept and not r.headersIn: njs joins repeated lines where nginx 1.22 has only the first, and map and function
 * must read the same.
 */
function face(r) {
  const bytes = r.rawVariables.http_accept || [];
  if (bytes.length === 0 || bytes.length > MAX_HEADER_BYTES) return "html";
  return chooseFace(readElements(bytes));
}

export default { face };
