import qrcode from "qrcode-generator";

/** A square of `size` × `size` modules with its quiet zone, and the dark ones as the path of an SVG. */
export interface QrCode {
  size: number;
  path: string;
}

/** ISO/IEC 18004: four modules on each side. */
const QUIET = 4;

/** A QR code with error correction M, as EPC069-12 asks for. Throws for a text that is too long. */
function encode(text: string) {
  const code = qrcode(0, "M");
  // The library takes each character for a byte.
  code.addData(Buffer.from(text).toString("latin1"), "Byte");
  code.make();
  return code;
}

/** Pixels of a module: sharp in a mail on a dense screen. */
const MODULE = 6;

/** A QR code with its quiet zone as a GIF, for mail programs, most of which show no SVG. Throws as drawQrCode. */
export function drawQrPicture(text: string): Buffer {
  const [, base64 = ""] = encode(text)
    .createDataURL(MODULE, QUIET * MODULE)
    .split(",");
  return Buffer.from(base64, "base64");
}

/** A QR code as its page draws it. Throws for a text that is too long. */
export function drawQrCode(text: string): QrCode {
  const code = encode(text);
  const modules = code.getModuleCount();
  const rows = Array.from({ length: modules }, (_, row) =>
    Array.from({ length: modules }, (_, column) => (code.isDark(row, column) ? "1" : "0")).join(""),
  );
  const path = rows.flatMap((cells, row) =>
    [...cells.matchAll(/1+/g)].map(
      ({ index, 0: { length } }) => `M${index + QUIET} ${row + QUIET}h${length}v1h-${length}z`,
    ),
  );
  return { size: modules + 2 * QUIET, path: path.join("") };
}
