// The gaps between the ids of a list in a Rice code: each gap less 1 as a quotient in unary (so many zeros, then a one) and a
// remainder of `k` bits. `k` follows from the mean gap, so it is not stored, and the quotients take three bits a gap at most
// however uneven the gaps are. Bits fill bytes from the lowest on.

/** The median as a share of the mean gap, if gaps are as random docs have them. */
const MEDIAN = 0.69;

const bitsOf = (gaps: number, span: number): number =>
  31 - Math.clz32(Math.max(1, Math.floor((span * MEDIAN) / Math.max(1, gaps))));

/** `docIds` ascend. The first one is not encoded. */
export function encodeGaps(docIds: Int32Array): Uint8Array {
  const gaps = docIds.length - 1;
  const span = docIds[gaps]! - docIds[0]!;
  const k = bitsOf(gaps, span);
  const bytes = new Uint8Array((gaps * (k + 1) + (span >> k) + 7) >> 3);
  let at = 0;
  for (let i = 1; i <= gaps; i++) {
    const value = docIds[i]! - docIds[i - 1]! - 1;
    at += value >> k;
    bytes[at >> 3]! |= 1 << (at & 7);
    at += 1;
    let rest = value & ((1 << k) - 1);
    for (const end = at + k; at < end; ) {
      const used = at & 7;
      bytes[at >> 3]! |= rest << used;
      const written = Math.min(8 - used, end - at);
      rest >>= written;
      at += written;
    }
  }
  return bytes.subarray(0, (at + 7) >> 3);
}

/** Writes `count` ids from `first` to `last` into `docIds` from `start` on. */
export function decodeGaps(
  bytes: Uint8Array,
  { first, last, df }: { first: number; last: number; df: number },
  docIds: Int32Array,
  start: number,
): void {
  const k = bitsOf(df - 1, last - first);
  const mask = (1 << k) - 1;
  let docId = first;
  docIds[start] = docId;
  let at = 0;
  for (let i = start + 1; i < start + df; i++) {
    const from = at;
    let ahead = bytes[at >> 3]! >> (at & 7);
    while (ahead === 0) {
      at = (at | 7) + 1;
      ahead = bytes[at >> 3]!;
    }
    at += 31 - Math.clz32(ahead & -ahead);
    const quotient = at - from;
    at += 1;
    let rest = 0;
    for (let read = 0; read < k; ) {
      const used = at & 7;
      rest |= (bytes[at >> 3]! >> used) << read;
      const fresh = Math.min(8 - used, k - read);
      read += fresh;
      at += fresh;
    }
    docId += (quotient << k) + (rest & mask) + 1;
    docIds[i] = docId;
  }
}
