// Which face of a page an Accept header asks for, by RFC 9110 §12.5.1 and §5.6.
// Runs in nginx's njs 0.7.9: no destructuring, spread, for-of, default parameters or named groups.
// Anything absent, malformed or unsatisfiable gets HTML: Markdown is for whoever asks for it, and nobody gets 406.

// Regular expressions as literals: made of strings they would be compiled anew for each request.
const MEDIA_RANGE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\/([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/;
const PARAMETER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|"((?:[^"\\]|\\.)*)")$/;
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** The specificity of a range that names its type in full; see `specificity`. */
const NAMED = 300;

const FACES = {
  html: { subtype: "html", parameters: { charset: "utf-8" } },
  // `variant` is RFC 7763's parameter; our Markdown is GitHub's.
  md: { subtype: "markdown", parameters: { charset: "utf-8", variant: "gfm" } },
};

/** Without the white space around it (OWS, RFC 9110 §5.6.3); a regular expression costs njs more. */
function trim(text) {
  let start = 0;
  let end = text.length;
  while (text[start] === " " || text[start] === "\t") start++;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(start, end);
}

/** Splits at a separator, but not inside a quoted string (RFC 9110 §5.6.4). */
function splitQuoted(text, separator) {
  const parts = [];
  let start = 0;
  let quoted = false;
  for (let i = 0; i <= text.length; i++) {
    const char = text[i];
    if (quoted && char === "\\") i++;
    else if (char === '"') quoted = !quoted;
    else if (i === text.length || (char === separator && !quoted)) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return parts;
}

/** The parts between separators, without white space around them and without empty ones. */
function split(text, separator) {
  const parts = text.indexOf('"') < 0 ? text.split(separator) : splitQuoted(text, separator);
  return parts.map(trim).filter(Boolean);
}

/** One element of the list as {type, subtype, parameters, weight, position}, or null when it is malformed. */
function parseRange(element, position) {
  const parts = split(element, ";");
  const range = element[0] === ";" ? null : MEDIA_RANGE.exec(parts[0].toLowerCase());
  if (!range || (range[1] === "*" && range[2] !== "*")) return null;
  const parameters = [];
  let weight = null;
  for (let i = 1; i < parts.length; i++) {
    const parameter = PARAMETER.exec(parts[i]);
    if (!parameter) return null;
    const name = parameter[1].toLowerCase();
    if (name === "q") {
      if (weight !== null || parameter[2] === undefined || !WEIGHT.test(parameter[2])) return null;
      weight = Number(parameter[2]);
    } else {
      const value = parameter[2] === undefined ? parameter[3].replace(/\\(.)/g, "$1") : parameter[2];
      parameters.push({ name, value: value.toLowerCase() });
    }
  }
  return { type: range[1], subtype: range[2], parameters, weight: weight === null ? 1 : weight, position };
}

/** How specifically a range names a face: 0 for a range that does not match it, else 100, 200 or 300 and its parameters. */
function specificity(range, face) {
  const foreign = range.parameters.some((parameter) => face.parameters[parameter.name] !== parameter.value);
  if (foreign) return 0;
  const narrowed = range.parameters.length;
  if (range.type === "*") return 100 + narrowed;
  if (range.type !== "text") return 0;
  if (range.subtype === "*") return 200 + narrowed;
  return range.subtype === face.subtype ? NAMED + narrowed : 0;
}

/** The range that decides about a face: the most specific; of equals the heaviest, then the first. */
function decidingRange(ranges, face) {
  let best = { specificity: 0, weight: 0, position: 0 };
  for (let i = 0; i < ranges.length; i++) {
    const level = specificity(ranges[i], face);
    if (level > best.specificity || (level > 0 && level === best.specificity && ranges[i].weight > best.weight)) {
      best = { specificity: level, weight: ranges[i].weight, position: ranges[i].position };
    }
  }
  return best;
}

/**
 * The face, "html" or "md", for the value of an Accept header ("" where there is none).
 * Higher weight wins; then the more specific range; then the client's own order where it names both types; then HTML.
 */
function chooseFace(accept) {
  const ranges = split(accept, ",").map(parseRange).filter(Boolean);
  const html = decidingRange(ranges, FACES.html);
  const md = decidingRange(ranges, FACES.md);
  if (md.weight !== html.weight) return md.weight > html.weight ? "md" : "html";
  if (md.weight === 0) return "html";
  if (md.specificity !== html.specificity) return md.specificity > html.specificity ? "md" : "html";
  return md.specificity >= NAMED && md.position < html.position ? "md" : "html";
}

/** With DEL, which no name has, for each byte beyond ASCII (obs-text, RFC 9110 §5.5). */
function withoutForeignBytes(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += bytes[i] < 0x80 ? String.fromCharCode(bytes[i]) : "\x7f";
  return text;
}

/**
 * The face for a request. njs 0.7.9 matches strings beyond ASCII wrongly, and some make it fill all memory: it gets none.
 * Of $http_accept and not r.headersIn: njs joins repeated lines where nginx 1.22 has only the first, and map and function
 * must read the same.
 */
function face(r) {
  const bytes = r.rawVariables.http_accept || [];
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return chooseFace(withoutForeignBytes(bytes));
  return chooseFace(r.variables.http_accept || "");
}

export default { face };
