// Aligns the tokens of a page with its truth. 4-grams that occur once on both sides are anchors; the longest sequence
// of anchors in order is kept, and the gaps between them are aligned in the same way, small ones exactly.

// Gaps of at most this many tokens on both sides get the exact longest common subsequence.
const EXACT = 400;
// Rounds of anchoring inside gaps. Each costs one pass over the tokens.
const MAX_DEPTH = 6;
const GRAM = 4;

interface Range {
  pageFrom: number;
  pageTo: number;
  truthFrom: number;
  truthTo: number;
}

/** Marks (1) the tokens of the page that are aligned with a token of the truth. */
export function alignTokens(page: readonly string[], truth: readonly string[]): Uint8Array {
  const numbers = new Map<string, number>();
  const numberOf = (token: string) => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, numbers.size);
    return numbers.size - 1;
  };
  const pageTokens = Int32Array.from(page, numberOf);
  const truthTokens = Int32Array.from(truth, numberOf);
  const matched = new Uint8Array(page.length);
  const whole = { pageFrom: 0, pageTo: page.length, truthFrom: 0, truthTo: truth.length };
  alignRange(pageTokens, truthTokens, whole, matched, 0);
  return matched;
}

function alignRange(page: Int32Array, truth: Int32Array, range: Range, matched: Uint8Array, depth: number): void {
  const { pageFrom, pageTo, truthFrom, truthTo } = range;
  if (pageFrom >= pageTo || truthFrom >= truthTo) return;
  if (pageTo - pageFrom <= EXACT && truthTo - truthFrom <= EXACT) {
    markCommonSubsequence(page, truth, range, matched);
    return;
  }
  const anchors = depth < MAX_DEPTH ? longestRun(findAnchors(page, truth, range)) : [];
  if (anchors.length === 0) return;
  let pageAt = pageFrom;
  let truthAt = truthFrom;
  for (const [pageAnchor, truthAnchor] of [...anchors, [pageTo, truthTo] as const]) {
    const gap = { pageFrom: pageAt, pageTo: pageAnchor, truthFrom: truthAt, truthTo: truthAnchor };
    alignRange(page, truth, gap, matched, depth + 1);
    if (pageAnchor === pageTo) break;
    matched.fill(1, pageAnchor, pageAnchor + GRAM);
    // Anchors overlap; the next gap begins after the furthest of them.
    pageAt = Math.max(pageAt, pageAnchor + GRAM);
    truthAt = Math.max(truthAt, truthAnchor + GRAM);
  }
}

type Anchor = readonly [page: number, truth: number];

/** Positions of the 4-grams that occur exactly once on both sides, in page order. */
function findAnchors(page: Int32Array, truth: Int32Array, range: Range): Anchor[] {
  const inTruth = gramPositions(truth, range.truthFrom, range.truthTo);
  const inPage = gramPositions(page, range.pageFrom, range.pageTo);
  const anchors: Anchor[] = [];
  for (const [gram, position] of inPage) {
    const other = inTruth.get(gram);
    if (position !== REPEATED && other !== undefined && other !== REPEATED) anchors.push([position, other]);
  }
  return anchors;
}

const REPEATED = -1;

function gramPositions(tokens: Int32Array, from: number, to: number): Map<string, number> {
  const positions = new Map<string, number>();
  for (let i = from; i + GRAM <= to; i++) {
    const gram = `${tokens[i]},${tokens[i + 1]},${tokens[i + 2]},${tokens[i + 3]}`;
    positions.set(gram, positions.has(gram) ? REPEATED : i);
  }
  return positions;
}

/** The longest subsequence whose positions in the truth increase too (patience sorting). */
function longestRun(anchors: readonly Anchor[]): Anchor[] {
  const inPageOrder = [...anchors].sort((a, b) => a[0] - b[0]);
  const tails: number[] = [];
  const before = new Int32Array(inPageOrder.length).fill(-1);
  for (const [i, [, truthPosition]] of inPageOrder.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inPageOrder[tails[middle]!]![1] < truthPosition) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[i] = tails[low - 1]!;
    tails[low] = i;
  }
  const run: Anchor[] = [];
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) run.push(inPageOrder[i]!);
  return run.reverse();
}

function markCommonSubsequence(page: Int32Array, truth: Int32Array, range: Range, matched: Uint8Array): void {
  const rows = range.pageTo - range.pageFrom;
  const width = range.truthTo - range.truthFrom + 1;
  // longest[i * width + j]: length for the page's tokens from i and the truth's tokens from j.
  const longest = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = width - 2; j >= 0; j--) {
      const at = i * width + j;
      longest[at] =
        page[range.pageFrom + i] === truth[range.truthFrom + j]
          ? longest[at + width + 1]! + 1
          : Math.max(longest[at + width]!, longest[at + 1]!);
    }
  }
  for (let i = 0, j = 0; i < rows && j < width - 1; ) {
    const at = i * width + j;
    if (page[range.pageFrom + i] === truth[range.truthFrom + j]) {
      matched[range.pageFrom + i] = 1;
      i += 1;
      j += 1;
    } else if (longest[at + width]! >= longest[at + 1]!) i += 1;
    else j += 1;
  }
}
