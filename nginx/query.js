// The query of a request as the API can read it.
// For njs 0.7.9, as negotiation.js: bytes, because it handles strings beyond ASCII wrongly.

const HEX = "0123456789ABCDEF";

/** Returns the query with its bytes beyond ASCII percent-encoded (RFC 3986 §2.1), as browsers send them. */
function encode(request) {
  const bytes = request.rawVariables.args;
  const encoded = Buffer.alloc(bytes.length * 3);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte < 0x80) {
      encoded[length++] = byte;
    } else {
      encoded[length++] = 0x25;
      encoded[length++] = HEX.charCodeAt(byte >> 4);
      encoded[length++] = HEX.charCodeAt(byte & 15);
    }
  }
  return encoded.slice(0, length).toString();
}

export default { encode };
