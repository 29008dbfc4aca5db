// Similarity of two texts: by insertions and deletions (like rapidfuzz's ratio), and by edits (Levenshtein).

const WORD_BITS = 32;

/** 2 * LCS / (length + length), 0 to 1. Computes the longest common subsequence 32 characters at a time (Hyyrö 2004). */
export function ratio(a: string, b: string): number {
  const total = a.length + b.length;
  return total === 0 ? 1 : (2 * commonLength(a, b)) / total;
}

function commonLength(a: string, b: string): number {
  const words = Math.ceil(a.length / WORD_BITS);
  const masks = new Map<number, Uint32Array>();
  for (let at = 0; at < a.length; at++) {
    const unit = a.charCodeAt(at);
    const mask = masks.get(unit) ?? new Uint32Array(words);
    mask[at >>> 5]! |= 1 << (at & 31);
    masks.set(unit, mask);
  }
  const row = new Uint32Array(words).fill(0xffffffff);
  for (let at = 0; at < b.length; at++) {
    const mask = masks.get(b.charCodeAt(at));
    if (mask === undefined) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const value = row[word]!;
      const matched = (value & mask[word]!) >>> 0;
      const sum = value + matched + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      row[word] = (sum | (value - matched)) >>> 0;
    }
  }
  let common = 0;
  for (let at = 0; at < a.length; at++) if ((row[at >>> 5]! & (1 << (at & 31))) === 0) common++;
  return common;
}

/** Edits divided by the length of the longer text, 0 to 1. */
export function editShare(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : edits(a, b) / longest;
}

function edits(a: string, b: string): number {
  let [from, endA, endB] = [0, a.length, b.length];
  while (from < endA && from < endB && a.charCodeAt(from) === b.charCodeAt(from)) from++;
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const width = endB - from;
  const row = Uint32Array.from({ length: width + 1 }, (_, at) => at);
  for (let i = from; i < endA; i++) {
    let diagonal = row[0]!;
    row[0] = i - from + 1;
    const unit = a.charCodeAt(i);
    for (let j = 1; j <= width; j++) {
      const above = row[j]!;
      const change = diagonal + (unit === b.charCodeAt(from + j - 1) ? 0 : 1);
      row[j] = Math.min(change, above + 1, row[j - 1]! + 1);
      diagonal = above;
    }
  }
  return row[width]!;
}
