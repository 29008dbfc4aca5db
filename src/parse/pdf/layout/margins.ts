// Finds headers, footers and page numbers: text that repeats at the edge of several pages.
import type { Margin, PagePart, PageReading } from '../page-parts.ts';
import { stripEmphasis } from '../repair-text.ts';

const EDGE = 0.12;
// Maximum vertical shift between pages, as a share of the page height.
const MAX_SHIFT = 0.02;
const MAX_LENGTH = 200;
// Two occurrences may be chance, except in a file of two or three pages.
const MIN_REPEATS = 3;
const SHORT_FILE_PAGES = 3;
const PAGE_NUMBER =
  /^[-–—|[( ]*(?:(?:page|seite|página|pagina|p\.) ?)?(?:#|[ivxlc]+)(?: ?(?:of|\/|von|de|di|sur) ?#)?[-–—|\]) ]*$/;

interface Candidate {
  part: PagePart;
  page: PageReading;
  /** Its vertical centre as a share of the page height. */
  position: number;
}

export function markMargins(pages: readonly PageReading[]): void {
  const times = pages.length <= SHORT_FILE_PAGES ? 2 : MIN_REPEATS;
  for (const [key, candidates] of candidatesOf(pages)) {
    for (const group of groupsOf(candidates)) {
      if (new Set(group.map(({ page }) => page)).size < times) continue;
      for (const { part, page, position } of group)
        if (!isTitle(part, page, group)) part.margin = marginOf(key, position);
    }
  }
}

/** Grouped by text; all numbers count as equal. */
function candidatesOf(pages: readonly PageReading[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const page of pages) {
    if (page.height === 0) continue;
    for (const part of page.parts) {
      if (!part.box || part.kind === 'table' || part.kind === 'rule' || part.text.length > MAX_LENGTH) continue;
      const top = part.box.y / page.height;
      const bottom = (part.box.y + part.box.height) / page.height;
      if (bottom > EDGE && top < 1 - EDGE) continue;
      const key = keyOf(part);
      if (key === '') continue;
      const same = found.get(key);
      const candidate = { part, page, position: (top + bottom) / 2 };
      if (same) same.push(candidate);
      else found.set(key, [candidate]);
    }
  }
  return found;
}

const keyOf = ({ text, marker }: PagePart): string =>
  stripEmphasis(`${marker && marker !== '-' ? `${marker} ` : ''}${text}`)
    .toLowerCase()
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Groups candidates at the same height. */
function groupsOf(candidates: Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates.toSorted((a, b) => a.position - b.position)) {
    const group = groups.at(-1);
    if (group && candidate.position - group[0]!.position <= MAX_SHIFT) group.push(candidate);
    else groups.push([candidate]);
  }
  return groups;
}

/** The first occurrence of a large title is kept even if later pages repeat it as a header. */
function isTitle(part: PagePart, page: PageReading, group: readonly Candidate[]): boolean {
  const first = Math.min(...group.slice(0, 1_000).map((other) => other.page.pageNumber));
  return part.kind === 'heading' && page.pageNumber === first && part.size > 1.3 * page.bodySize;
}

function marginOf(key: string, position: number): Margin {
  if (PAGE_NUMBER.test(key)) return 'page_number';
  return position < 0.5 ? 'page_header' : 'page_footer';
}
