// The path of a page with letters beyond ASCII, as headers can have it. For njs 0.7.9, as negotiation.js.

/**
 * Returns $written percent-encoded (RFC 3986 §2.1), whatever its bytes are. encodeURI takes a tenth of what a loop over bytes
 * would. A regular expression that replaces all of many takes milliseconds: its time grows with the square.
 */
function encode(request) {
  return encodeURI(request.variables.written).split("?").join("%3F").split("#").join("%23");
}

export default { encode };
