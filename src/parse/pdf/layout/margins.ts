// Running heads, running feet and page numbers: what stands at the edge of page after page. A single page tells nothing of it.
import type { Margin, PageReading, Part } from '../page-parts.ts';
import { withoutEmphasis } from '../repair-text.ts';

const EDGE = 0.12;
// From page to page the same line moves no further than this share of the height.
const SAME_PLACE = 0.02;
const LONGEST = 200;
// Twice can be chance; in a document of two or three pages it is all there can be.
const TIMES = 3;
const SHORT_DOCUMENT = 3;
const PAGE_NUMBER =
  /^[-–—|[( ]*(?:(?:page|seite|página|pagina|p\.) ?)?(?:#|[ivxlc]+)(?: ?(?:of|\/|von|de|di|sur) ?#)?[-–—|\]) ]*$/;

interface Candidate {
  part: Part;
  page: PageReading;
  /** Of its middle, as a share of the height of the page. */
  place: number;
}

export function markMargins(pages: readonly PageReading[]): void {
  const times = pages.length <= SHORT_DOCUMENT ? 2 : TIMES;
  for (const [key, candidates] of candidatesOf(pages)) {
    for (const group of groupsOf(candidates)) {
      if (new Set(group.map(({ page }) => page)).size < times) continue;
      for (const { part, page, place } of group) if (!isTitle(part, page, group)) part.margin = marginOf(key, place);
    }
  }
}

/** By what they say; numbers count as equal. */
function candidatesOf(pages: readonly PageReading[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const page of pages) {
    if (page.height === 0) continue;
    for (const part of page.parts) {
      if (!part.box || part.kind === 'table' || part.kind === 'rule' || part.text.length > LONGEST) continue;
      const top = part.box.y / page.height;
      const bottom = (part.box.y + part.box.height) / page.height;
      if (bottom > EDGE && top < 1 - EDGE) continue;
      const key = keyOf(part);
      if (key === '') continue;
      const same = found.get(key);
      const candidate = { part, page, place: (top + bottom) / 2 };
      if (same) same.push(candidate);
      else found.set(key, [candidate]);
    }
  }
  return found;
}

const keyOf = ({ text, marker }: Part): string =>
  withoutEmphasis(`${marker && marker !== '-' ? `${marker} ` : ''}${text}`)
    .toLowerCase()
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Those that stand at the same height. */
function groupsOf(candidates: Candidate[]): Candidate[][] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates.toSorted((a, b) => a.place - b.place)) {
    const group = groups.at(-1);
    if (group && candidate.place - group[0]!.place <= SAME_PLACE) group.push(candidate);
    else groups.push([candidate]);
  }
  return groups;
}

/** A title in large letters is kept where it stands first, though the pages after repeat it. */
function isTitle(part: Part, page: PageReading, group: readonly Candidate[]): boolean {
  const first = Math.min(...group.slice(0, 1_000).map((other) => other.page.pageNumber));
  return part.kind === 'heading' && page.pageNumber === first && part.size > 1.3 * page.bodySize;
}

function marginOf(key: string, place: number): Margin {
  if (PAGE_NUMBER.test(key)) return 'page_number';
  return place < 0.5 ? 'page_header' : 'page_footer';
}
