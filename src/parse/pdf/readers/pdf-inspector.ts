// The pdf-inspector engine, a second opinion on doubtful pages. It returns Markdown, which is split into parts again.
// It always reads the whole file, so it is used for short files only.
import { extractPagesMarkdownAsync } from '@firecrawl/pdf-inspector';
import type { PagePart } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

/** Parts by page number; all pages by default. Empty for pages whose text it does not trust. */
export async function readWithInspector(
  bytes: Uint8Array,
  pages?: readonly number[],
): Promise<Map<number, PagePart[]>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = await extractPagesMarkdownAsync(
    buffer,
    pages?.map((page) => page - 1),
  );
  return new Map(
    result.pages.map(({ page, markdown, needsOcr }) => [page + 1, needsOcr ? [] : markdownParts(markdown)]),
  );
}

const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^(\s*)([-*+•]|\d{1,4}[.)])\s+(\S.*)$/;
// Markdown has no underline.
const UNDERLINE = /<\/?u>/g;
const WHOLLY_BOLD = /^\*\*([^*]+)\*\*$/;

export function markdownParts(markdown: string): PagePart[] {
  const parts: PagePart[] = [];
  /** The part that the next line may continue. */
  let open: PagePart | undefined;
  for (const line of repairLines(markdown)) {
    if (line.trim() === '') open = undefined;
    else if (open && isContinuation(open, line)) addLine(open, line);
    else {
      const part = startPart(line);
      parts.push(part);
      open = part.kind === 'heading' ? undefined : part;
    }
  }
  return parts.map(withBold);
}

const isTableLine = (line: string): boolean => line.startsWith('|');

function isContinuation({ kind }: PagePart, line: string): boolean {
  if (isTableLine(line)) return kind === 'table';
  return kind !== 'table' && !HEADING.test(line) && !ITEM.test(line);
}

function addLine(part: PagePart, line: string): void {
  if (part.kind === 'table') addRow(part.rows!, line);
  else part.text += ` ${line.trim()}`;
}

function startPart(line: string): PagePart {
  const base = { text: '', level: 0, bold: false, italic: false, size: 0 };
  const heading = HEADING.exec(line);
  if (heading) {
    return { ...base, kind: 'heading', text: heading[2]!.replace(WHOLLY_BOLD, '$1'), level: heading[1]!.length };
  }
  if (isTableLine(line)) {
    const rows: string[][] = [];
    addRow(rows, line);
    return { ...base, kind: 'table', rows };
  }
  const item = ITEM.exec(line);
  if (!item) return { ...base, kind: 'text', text: line.trim() };
  const marker = /\d/.test(item[2]!) ? item[2]! : '-';
  return { ...base, kind: 'list', text: item[3]!, marker, level: Math.min(6, Math.floor(item[1]!.length / 2)) };
}

function addRow(rows: string[][], line: string): void {
  const isSeparator = /^\|[-:| ]+\|$/.test(line);
  if (!isSeparator) rows.push(cellsOf(line));
}

function withBold(part: PagePart): PagePart {
  const text = part.kind === 'text' ? WHOLLY_BOLD.exec(part.text)?.[1] : undefined;
  return text === undefined ? part : { ...part, text, bold: true };
}

const repairLines = (markdown: string): string[] => markdown.split('\n').map((line) => repairEnd(line));

/** Keeps the indentation, which gives the level of a list item. */
const repairEnd = (line: string): string => (/^\s*/.exec(line)?.[0] ?? '') + repairText(line.replaceAll(UNDERLINE, ''));

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) =>
      cell
        .replaceAll('\\|', '|')
        .replaceAll(/<br\s*\/?>/gi, ' ')
        .trim(),
    );
