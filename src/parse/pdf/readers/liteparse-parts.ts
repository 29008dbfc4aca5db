// Converts liteparse blocks to page parts. liteparse judges a block by its first line, so blocks that mix fonts or
// contain gaps are split again.
import type { LayoutBlock, ParsedPage, TextItem } from '@llamaindex/liteparse';
import { mendTables } from '../layout/mend-tables.ts';
import { orderColumns } from '../layout/page-columns.ts';
import { findLinks, type PdfLink } from '../layout/page-links.ts';
import { correctHeadings } from '../layout/pdf-headings.ts';
import { isFalseTable, tableAsText } from '../layout/pdf-tables.ts';
import { countLetters, type PagePart, type PageReading, unionBox } from '../page-parts.ts';
import { cutAfterLetters, repairText } from '../repair-text.ts';
import { scanSignsOf } from './liteparse.ts';
import { bodyFont, linesInBoxes, type PrintedLine } from './printed-lines.ts';

// The same nominal size differs slightly between fonts.
const SAME_SIZE = 1.15;
const MUCH_LARGER = 1.4;
// A larger line distance than this, as a multiple of the usual one, ends a paragraph; less suffices after a sentence.
const GAP = 1.6;
const GAP_AFTER_SENTENCE = 1.3;
const MAX_HEADING = 160;

export interface LiteparseReading {
  reading: PageReading;
  /** All printed lines of the page. */
  lines: PrintedLine[];
  links: PdfLink[];
}

export function liteparseReading(page: ParsedPage, scope: string): LiteparseReading {
  const body = bodyFont(page.textItems);
  const blocks = (page.blocks ?? []).flatMap((block) => {
    const part = partOf(block);
    return part ? [part] : [];
  });
  const lines = linesInBoxes(
    blocks.map(({ box }) => box),
    page.textItems,
  );
  const pieces = lines ? blocks.flatMap((part, at) => splitByLines(part, lines[at]!, body)) : blocks;
  const reading: PageReading = {
    pageNumber: page.pageNum,
    width: page.width,
    height: page.height,
    parts: orderColumns(
      mendTables(pieces).flatMap((part) => (isFalseTable(part) ? tableAsText(part) : [part])),
      page.width,
    ),
    scope,
    source: 'text',
    bodySize: body.size,
    garbled: garbledShare(page.textItems),
    scanSigns: scanSignsOf(page),
    status: 'ok',
  };
  return { reading: correctHeadings(reading), lines: lines?.flat() ?? [], links: findLinks(page) };
}

function partOf(block: LayoutBlock): PagePart | undefined {
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

function splitByLines(part: PagePart, lines: PrintedLine[], body: Body): PagePart[] {
  const size = lines.reduce((most, line) => Math.max(most, line.size), 0);
  if ((part.kind !== 'heading' && part.kind !== 'text') || lines.length === 0) return [{ ...part, size }];
  const groups = groupLines(lines);
  const pieces: PagePart[] = [];
  let rest = part.text;
  for (const [at, group] of groups.entries()) {
    const isLast = at === groups.length - 1;
    const letters = group.reduce((sum, line) => sum + line.letters, 0);
    const [text, after] = isLast ? [rest, ''] : cutAfterLetters(rest, letters);
    // Text and lines disagree: keep one part rather than split a word.
    if (text === undefined) return [{ ...part, size }];
    pieces.push(pieceOf(part, text, group, body, !isLast));
    rest = after;
  }
  return pieces;
}

/** Consecutive lines with the same font and no gap. */
function groupLines(lines: PrintedLine[]): PrintedLine[][] {
  const pitch = lineDistance(lines);
  const groups: PrintedLine[][] = [];
  let previous: PrintedLine | undefined;
  for (const line of lines) {
    if (previous === undefined || (startsSentence(line) && differs(previous, line, pitch))) groups.push([]);
    groups.at(-1)!.push(line);
    previous = line;
  }
  return groups;
}

/** A line that starts with a lower-case letter continues the previous one, whatever its font. */
const startsSentence = ({ text }: PrintedLine): boolean => !/^\s*[\p{Ll}),.;:]/u.test(text);

function differs(a: PrintedLine, b: PrintedLine, pitch: number): boolean {
  const [small, large] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  const gap = b.box.y - a.box.y;
  const isApart = gap > pitch * (/[.!?:]["')\]”’]?$/.test(a.text.trim()) ? GAP_AFTER_SENTENCE : GAP);
  return a.bold !== b.bold || large > small * SAME_SIZE || (isApart && gap > large * 1.5);
}

function lineDistance(lines: PrintedLine[]): number {
  const gaps = lines.slice(1).map((line, at) => line.box.y - lines[at]!.box.y);
  return gaps.sort((a, b) => a - b)[Math.floor((gaps.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
}

function pieceOf(part: PagePart, text: string, lines: PrintedLine[], body: Body, isFollowed: boolean): PagePart {
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
    text.length <= MAX_HEADING &&
    !/[.,;]$/.test(text) &&
    countLetters(text) > 1;
  if (isHeading) return { ...part, kind: 'heading', text, size, box, level: 2, bold };
  return { ...part, text, size, box, bold: isWhole ? part.bold : bold };
}

/** `Summary`, `Our Links`: too short for liteparse's own rule. Excludes formulas and chart scales. */
const isShortTitle = (text: string): boolean => /^\p{Lu}[\p{L}’'-]{2,}(?: [\p{L}’'&-]+){0,4}$/u.test(text);

const boxOf = (lines: PrintedLine[]) => lines.slice(1).reduce((box, line) => unionBox(box, line.box), lines[0]!.box);

// Private-use, replacement and control characters, and what liteparse writes for unnamed glyphs.
const BROKEN = /[\uE000-\uF8FF\uFFFD\uFFFE\uFFFF\u0080-\u009F]|[\u0001-\u0008\u000E-\u001F]/g;
const GLYPH_CODES = /\(cid:\d+\)/g;
// Bullets in symbol fonts are lone private-use characters and say nothing about the text.
const LONE_SYMBOL = 2;

/** Embedded text may differ from what the page shows: fonts without a character map yield glyph codes. */
function garbledShare(items: readonly TextItem[]): number {
  let [all, broken] = [0, 0];
  for (const { text } of items) {
    const bare = text.trim();
    if (bare.length <= LONE_SYMBOL) continue;
    all += bare.length;
    broken += bare.match(BROKEN)?.length ?? 0;
    for (const code of bare.match(GLYPH_CODES) ?? []) broken += code.length;
  }
  return all === 0 ? 0 : broken / all;
}
