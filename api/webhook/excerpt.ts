const READ_BYTES = 64 * 1_024;
const KEPT_BYTES = 1_024;

/**
 * Reads a reply to its end or through 64 KiB, whichever comes first, and keeps up to 1 KiB of it as text. A reply that
 * breaks off gives what had come, and the error.
 */
export async function readExcerpt(reply: AsyncIterable<Buffer>): Promise<{ excerpt: string; error?: unknown }> {
  let read = 0;
  let kept = Buffer.alloc(0);
  try {
    for await (const chunk of reply) {
      read += chunk.length;
      kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
      if (read >= READ_BYTES) break;
    }
  } catch (error) {
    return { excerpt: toText(kept), error };
  }
  return { excerpt: toText(kept) };
}

/** As text of at most 1 KiB: what is no UTF-8 becomes U+FFFD, three bytes, hence cut again; half characters go. */
function toText(bytes: Buffer): string {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part, { stream: true });
  return decode(Buffer.from(decode(bytes)).subarray(0, KEPT_BYTES));
}
