// Finds what a paragraph must not be cut in: links, images and code. Each sign is looked at once, whatever the text.

export type InlineSpan = [start: number, end: number];

const SIGNS = /\\.|`+|!?\[|\](?=\()/gs;
const TICKS = /`+/g;

/** In the order of their beginnings. Spans may contain others. */
export function inlineSpans(text: string): InlineSpan[] {
  const spans: InlineSpan[] = [];
  const openings: number[] = [];
  const endOfCode = codeFinder(text);
  const endOfLink = linkFinder(text);
  let next = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (index < next) continue;
    if (sign.endsWith('[')) openings.push(index);
    const start = sign === ']' ? openings.pop() : sign.startsWith('`') ? index : undefined;
    if (start === undefined) continue;
    const end = sign === ']' ? endOfLink(index) : endOfCode(sign.length, index + sign.length);
    if (end === undefined) continue;
    spans.push([start, end]);
    next = end;
  }
  return spans.sort(([a], [b]) => a - b);
}

/** Finds the end of the next run of as many backticks, for positions that only grow. */
function codeFinder(text: string): (count: number, from: number) => number | undefined {
  const ends = new Map<number, number[]>();
  for (const { 0: ticks, index } of text.matchAll(TICKS)) {
    const runs = ends.get(ticks.length);
    if (runs) runs.push(index + ticks.length);
    else ends.set(ticks.length, [index + ticks.length]);
  }
  for (const runs of ends.values()) runs.reverse();
  return (count, from) => {
    const runs = ends.get(count) ?? [];
    while (runs.length > 0 && runs.at(-1)! <= from) runs.pop();
    return runs.at(-1);
  };
}

/** Finds where the destination of a link ends, for positions that only grow. */
function linkFinder(text: string): (from: number) => number | undefined {
  let end = 0;
  return (from) => {
    // Looked for once, even if thousands of links are never closed.
    if (end <= from) {
      const found = text.indexOf(')', from);
      end = found === -1 ? Number.POSITIVE_INFINITY : found + 1;
    }
    return end === Number.POSITIVE_INFINITY ? undefined : end;
  };
}
