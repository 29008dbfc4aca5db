// Undoes the chunked transfer coding of a stored response. Many archives name the coding although they have undone it.

const LINE_END = Buffer.from('\r\n');
const SIZE = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i;
const MAX_LINE = 1_024;

/** The same bytes if they are not in chunks. */
export function withoutChunks(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const end = bytes.subarray(at, at + MAX_LINE).indexOf(LINE_END);
    const [, digits] = SIZE.exec(end < 0 ? '' : bytes.toString('latin1', at, at + end)) ?? [];
    // The end is missing, or this is not a chunk. What came before counts, if anything did.
    if (digits === undefined) return parts.length > 0 ? Buffer.concat(parts) : body;
    const size = Number.parseInt(digits, 16);
    if (size === 0) return Buffer.concat(parts);
    const from = at + end + LINE_END.length;
    parts.push(bytes.subarray(from, from + size));
    at = from + size + LINE_END.length;
  }
}
