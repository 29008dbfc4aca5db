// What liteparse found on a page, as parts. Where it took lines of different fonts or with a gap between them for one paragraph
// or heading, they are set apart again: it looks at the first line alone.
import type { LayoutBlock, ParsedPage } from '@llamaindex/liteparse';
import { mendTables } from '../layout/mend-tables.ts';
import { inColumns } from '../layout/page-columns.ts';
import { type Link, linksOf } from '../layout/page-links.ts';
import { settleHeadings } from '../layout/pdf-headings.ts';
import { isNoTable, tableAsText } from '../layout/pdf-tables.ts';
import { countLetters, type PageReading, type Part, union } from '../page-parts.ts';
import { cutAfterLetters, repairText } from '../repair-text.ts';
import { garbledShare } from './garbled.ts';
import { signsOf } from './liteparse.ts';
import { bodyOf, type Line, linesIn } from './printed-lines.ts';

// Letters of one size differ a little from font to font.
const SAME_SIZE = 1.15;
const MUCH_LARGER = 1.4;
// Lines of a paragraph lie closer together than a paragraph and what follows; less is enough where a sentence ends.
const GAP = 1.6;
const GAP_AFTER_SENTENCE = 1.3;
const LONGEST_HEADING = 160;

export interface LiteReading {
  reading: PageReading;
  /** All printed lines. */
  lines: Line[];
  links: Link[];
}

export function readingOf(page: ParsedPage, scope: string): LiteReading {
  const body = bodyOf(page.textItems);
  const blocks = (page.blocks ?? []).flatMap((block) => {
    const part = partOf(block);
    return part ? [part] : [];
  });
  const lines = linesIn(
    blocks.map(({ box }) => box),
    page.textItems,
  );
  const pieces = lines ? blocks.flatMap((part, at) => setApart(part, lines[at]!, body)) : blocks;
  const reading: PageReading = {
    pageNumber: page.pageNum,
    width: page.width,
    height: page.height,
    parts: inColumns(
      mendTables(pieces).flatMap((part) => (isNoTable(part) ? tableAsText(part) : [part])),
      page.width,
    ),
    scope,
    source: 'text',
    bodySize: body.size,
    garbled: garbledShare(page.textItems),
    signs: signsOf(page),
    status: 'ok',
  };
  return { reading: settleHeadings(reading), lines: lines?.flat() ?? [], links: linksOf(page) };
}

function partOf(block: LayoutBlock): Part | undefined {
  const base = { bold: block.bold ?? false, italic: block.italic ?? false, level: 0, size: 0, box: block.bbox };
  const text = repairText(block.text ?? '');
  switch (block.kind) {
    case 'heading':
      return { ...base, kind: 'heading', text, level: block.level ?? 1 };
    case 'paragraph':
      return { ...base, kind: 'text', text };
    case 'list_item':
      return { ...base, kind: 'list', text, level: block.level ?? 0, marker: block.ordered ? block.marker : '-' };
    case 'code':
    case 'grid_fallback':
      return { ...base, kind: 'code', text: (block.lines ?? []).map(repairText).join('\n') };
    case 'table': {
      const rows = [block.header ?? [], ...(block.rows ?? [])].filter((row) => row.length > 0);
      if (rows.length === 0) return undefined;
      return { ...base, kind: 'table', text: '', rows: rows.map((row) => row.map((cell) => repairText(cell.text))) };
    }
    case 'rule':
      return { ...base, kind: 'rule', text: '' };
    default:
      return undefined;
  }
}

interface Body {
  size: number;
  bold: boolean;
}

function setApart(part: Part, lines: Line[], body: Body): Part[] {
  const size = lines.reduce((most, line) => Math.max(most, line.size), 0);
  if ((part.kind !== 'heading' && part.kind !== 'text') || lines.length === 0) return [{ ...part, size }];
  const groups = groupsOf(lines);
  const pieces: Part[] = [];
  let rest = part.text;
  for (const [at, group] of groups.entries()) {
    const isLast = at === groups.length - 1;
    const letters = group.reduce((sum, line) => sum + line.letters, 0);
    const [text, after] = isLast ? [rest, ''] : cutAfterLetters(rest, letters);
    // The text and the lines do not agree: better one part than a word cut in two.
    if (text === undefined) return [{ ...part, size }];
    pieces.push(pieceOf(part, text, group, body, !isLast));
    rest = after;
  }
  return pieces;
}

/** Runs of lines that look alike and lie close together. */
function groupsOf(lines: Line[]): Line[][] {
  const pitch = pitchOf(lines);
  const groups: Line[][] = [];
  let previous: Line | undefined;
  for (const line of lines) {
    if (previous === undefined || (startsAnew(line) && differs(previous, line, pitch))) groups.push([]);
    groups.at(-1)!.push(line);
    previous = line;
  }
  return groups;
}

/** A line that goes on with a small letter belongs to the one before, whatever its font. */
const startsAnew = ({ text }: Line): boolean => !/^\s*[\p{Ll}),.;:]/u.test(text);

function differs(a: Line, b: Line, pitch: number): boolean {
  const [small, large] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  const gap = b.box.y - a.box.y;
  const isApart = gap > pitch * (/[.!?:]["')\]”’]?$/.test(a.text.trim()) ? GAP_AFTER_SENTENCE : GAP);
  return a.bold !== b.bold || large > small * SAME_SIZE || (isApart && gap > large * 1.5);
}

function pitchOf(lines: Line[]): number {
  const gaps = lines.slice(1).map((line, at) => line.box.y - lines[at]!.box.y);
  return gaps.sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
}

function pieceOf(part: Part, text: string, lines: Line[], body: Body, isFollowed: boolean): Part {
  const size = lines.reduce((most, line) => Math.max(most, line.size), 0);
  const bold = lines.every((line) => line.bold);
  const box = lines.length > 0 ? boxOf(lines) : part.box;
  const standsOut = size > body.size * SAME_SIZE || (bold && !body.bold);
  const isWhole = text === part.text;
  if (part.kind === 'heading') {
    const kind = standsOut || isWhole ? 'heading' : 'text';
    return { ...part, kind, text, size, box, bold };
  }
  const isLarge = isWhole && lines.length === 1 && size > body.size * MUCH_LARGER && isShortTitle(text);
  const isHeading =
    (isLarge || (bold && !body.bold && isFollowed)) &&
    lines.length <= 2 &&
    text.length <= LONGEST_HEADING &&
    !/[.,;]$/.test(text) &&
    countLetters(text) > 1;
  if (isHeading) return { ...part, kind: 'heading', text, size, box, level: 2, bold };
  return { ...part, text, size, box, bold: isWhole ? part.bold : bold };
}

/** `Summary`, `Our Links`: the reader asks for more letters than these have. Neither a formula nor the scale of a chart. */
const isShortTitle = (text: string): boolean => /^\p{Lu}[\p{L}’'-]{2,}(?: [\p{L}’'&-]+){0,4}$/u.test(text);

const boxOf = (lines: Line[]) => lines.slice(1).reduce((box, line) => union(box, line.box), lines[0]!.box);
