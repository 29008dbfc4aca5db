// Describes page numbers in a sentence.

const MAX_RANGES = 8;

/** `Page 3 was`, `Pages 1, 4 and 12 to 40 were`. The numbers must be sorted. */
export function describePages(pages: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  if (pages.length === 1) return `Page ${pages[0]} was`;
  const words = ranges.slice(0, MAX_RANGES).map(([from, to]) => {
    if (from === to) return String(from);
    return to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`;
  });
  if (ranges.length > MAX_RANGES) words.push('others');
  return words.length === 1
    ? `Pages ${words[0]} were`
    : `Pages ${words.slice(0, -1).join(', ')} and ${words.at(-1)} were`;
}
