/** A PDF as far as anybody looks into it, with this text in it and bytes that are no text. */
export const pdfOf = (text: string): Buffer =>
  Buffer.concat([Buffer.from("%PDF-1.7\n%"), Buffer.from([0xe2, 0xe3, 0, 0x27, 0x5c, 0x0a]), Buffer.from(text)]);

export const xmlOf = (text: string): Buffer => Buffer.from(`<?xml version="1.0"?>\n<Invoice>${text}</Invoice>`);
