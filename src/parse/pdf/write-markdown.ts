// Writes the Markdown of all pages and records the position of each part in it.
import type { BlockBox, BlockType, PageBlock, PageBlocks, PageMarkdown } from '../../page/parsed.ts';
import { isCaption } from './layout/pdf-headings.ts';
import { writeTable } from './layout/pdf-tables.ts';
import type { PagePart, PageReading } from './page-parts.ts';
import { stripEmphasis } from './repair-text.ts';

export interface PdfMarkdown {
  markdown: string;
  pages: PageMarkdown[];
  /** Where each page begins, with what stands between it and the page before. */
  pageStarts: number[];
  blocks: PageBlocks[];
}

export function writeMarkdown(readings: readonly PageReading[], hasMarkers: boolean): PdfMarkdown {
  const pages: PageMarkdown[] = [];
  const blocks: PageBlocks[] = [];
  const pageStarts: number[] = [];
  const pieces: string[] = [];
  let length = 0;
  const add = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  for (const reading of readings) {
    const { markdown, spans } = writePage(reading);
    pageStarts.push(length);
    if (hasMarkers && pages.length > 0) add(`\n\n---\n\n<!-- page ${reading.pageNumber} -->\n\n`);
    else if (length > 0 && markdown !== '') add('\n\n');
    blocks.push(blocksOf(reading, spans, length));
    add(markdown);
    pages.push({ pageNumber: reading.pageNumber, markdown });
  }
  return { markdown: pieces.join(''), pages, pageStarts, blocks };
}

type Span = [start: number, end: number];

function writePage({ parts }: PageReading): { markdown: string; spans: (Span | undefined)[] } {
  const pieces: string[] = [];
  const indentOf = createListIndent();
  let length = 0;
  let previous: PagePart | undefined;
  const spans = parts.map((part): Span | undefined => {
    const text = part.margin ? '' : writePart(part);
    if (text === '') return undefined;
    // In Markdown, a numbered item other than 1 does not end a bulleted list, so an empty line must.
    const isNext = previous?.kind === 'list' && part.kind === 'list' && isNumbered(previous) === isNumbered(part);
    const separator = `${previous === undefined ? '' : isNext ? '\n' : '\n\n'}${indentOf(part)}`;
    previous = part;
    pieces.push(separator, text);
    const start = length + separator.length;
    length = start + text.length;
    return [start, length];
  });
  return { markdown: pieces.join(''), spans };
}

function writePart(part: PagePart): string {
  const text = part.text.trim();
  switch (part.kind) {
    case 'heading':
      return text === '' ? '' : `${'#'.repeat(part.level)} ${oneLine(text)}`;
    case 'list':
      return text === '' ? '' : `${listMarker(part)}${oneLine(text)}`;
    case 'code': {
      const ticks = text.match(/`{3,}/g)?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
      const fence = '`'.repeat(Math.max(3, ticks + 1));
      return text === '' ? '' : `${fence}\n${part.text}\n${fence}`;
    }
    case 'table':
      return writeTable(part);
    case 'rule':
      return '';
    case 'ready':
      return text;
    default:
      return emphasized(escapeStart(oneLine(text)), part);
  }
}

/** Markdown has no lists with letters or Roman numerals, so those stay as text after a bullet. */
function listMarker({ marker = '-' }: PagePart): string {
  if (marker === '-' || /^\d{1,9}[.)]$/.test(marker)) return `${marker} `;
  return `- ${marker} `;
}

const isNumbered = (part: PagePart): boolean => /^\d/.test(listMarker(part));

/** A nested item is aligned with the text of its parent; deeper indentation would make it code. */
function createListIndent(): (part: PagePart) => string {
  let open: { level: number; indent: number; inner: number }[] = [];
  return (part) => {
    if (part.kind !== 'list') {
      open = [];
      return '';
    }
    open = open.filter(({ level }) => level <= part.level);
    const last = open.at(-1);
    if (last?.level === part.level) open.pop();
    const indent = last ? (last.level === part.level ? last.indent : last.inner) : 0;
    const mark = listMarker(part);
    const inner = indent + (mark.startsWith('-') ? 2 : mark.length);
    open.push({ level: part.level, indent, inner });
    return ' '.repeat(indent);
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** Escapes text that would start a heading or a quotation. */
const escapeStart = (text: string): string => (/^(?:#{1,6}\s|>)/.test(text) ? `\\${text}` : text);

function emphasized(text: string, { bold, italic }: PagePart): string {
  if (text === '' || text.includes('*') || (!bold && !italic)) return text;
  const mark = bold ? (italic ? '***' : '**') : '*';
  return `${mark}${text}${mark}`;
}

function blocksOf(reading: PageReading, spans: readonly (Span | undefined)[], offset: number): PageBlocks {
  const items: PageBlock[] = [];
  for (const [at, part] of reading.parts.entries()) {
    const span = spans[at];
    if (!span && !part.margin) continue;
    items.push({
      id: `p${reading.pageNumber}.b${items.length + 1}`,
      type: blockType(part, reading),
      label: null,
      bbox: boxOf(part, reading),
      content: part.kind === 'table' ? writeTable(part) : oneLine(stripEmphasis(part.text)),
      markdownSpan: span ? [span[0] + offset, span[1] + offset] : null,
      readingOrder: items.length,
      source: reading.source,
      confidence: { layout: null, ocr: part.confidence ?? null },
    });
  }
  const { pageNumber, width, height, status } = reading;
  return { pageNumber, width: width || null, height: height || null, status, items };
}

function blockType(part: PagePart, { pageNumber }: PageReading): BlockType {
  if (part.margin) return part.margin;
  if (part.kind === 'table') return 'table';
  if (part.kind === 'heading') return part.level === 1 && pageNumber === 1 ? 'title' : 'section_header';
  return isCaption(part.text) ? 'caption' : 'text';
}

function boxOf({ box }: PagePart, { width, height }: PageReading): BlockBox | null {
  if (!box || width === 0 || height === 0) return null;
  const share = (value: number, whole: number) => Math.min(1, Math.max(0, value / whole));
  return [
    share(box.x, width),
    share(box.y, height),
    share(box.x + box.width, width),
    share(box.y + box.height, height),
  ];
}
