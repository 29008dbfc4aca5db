// Recognised text as Markdown: what is set larger than the rest is a heading.
import type { BlockBox, BlockType } from '../../../contracts/parsed.ts';
import type { OcrBlock, OcrText } from '../ocr.ts';

export interface MarkdownBlock {
  type: BlockType;
  /** Markdown. */
  content: string;
  bbox: BlockBox;
  /** 0 to 1. */
  confidence: number;
}

/** Against the size of most of the text. */
const TITLE_SIZE = 1.6;
const HEADING_SIZE = 1.2;
const MAX_HEADING_LETTERS = 160;
const MAX_HEADING_LINES = 3;
const SPECIAL = /[\\`*_<>[\]|~]/;
const LINE_START = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|-{2,}\s*$|~{3}|\d{1,9}[.)](?=\s|$))/;
const ITEM = /^(?:•|\d{1,3}[.)]|[a-z][.)]) /;

export const ocrMarkdown = (text: OcrText): string =>
  ocrBlocks(text)
    .map(({ content }) => content)
    .join('\n\n');

/** In reading order; their contents, each after a blank line, are the Markdown of the whole. */
export function ocrBlocks(text: OcrText): MarkdownBlock[] {
  const usual = usualHeight(text.blocks);
  return text.blocks.map((block) => {
    const { bbox, confidence } = block;
    const type = typeOf(block, usual);
    return { type, content: contentOf(block, type), bbox, confidence };
  });
}

/** The height that half of the letters do not reach. */
function usualHeight(blocks: readonly OcrBlock[]): number {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0);
  let seen = 0;
  for (const { text, lineHeight } of blocks.toSorted((a, b) => a.lineHeight - b.lineHeight)) {
    seen += text.length;
    if (seen * 2 >= all) return lineHeight;
  }
  return 0;
}

function typeOf({ text, lineHeight, rows }: OcrBlock, usual: number): BlockType {
  if (rows) return 'table';
  const isShort = text.length <= MAX_HEADING_LETTERS && text.split('\n').length <= MAX_HEADING_LINES;
  if (!isShort || ITEM.test(text) || !/\p{L}{2}/u.test(text) || lineHeight < usual * HEADING_SIZE) return 'text';
  return lineHeight >= usual * TITLE_SIZE ? 'title' : 'section_header';
}

function contentOf({ text, rows = [] }: OcrBlock, type: BlockType): string {
  if (type === 'table') return tableOf(rows);
  if (type !== 'text') return `${type === 'title' ? '#' : '##'} ${plain(text.replaceAll('\n', ' '))}`;
  const lines = text.split('\n');
  if (ITEM.test(text)) return lines.map(itemOf).join('\n');
  return lines.map((line) => escapeStart(plain(line))).join('  \n');
}

function itemOf(line: string): string {
  const [marker = ''] = ITEM.exec(line) ?? [];
  const text = escapeStart(plain(line.slice(marker.length)));
  return /^\d/.test(marker) ? marker + text : `- ${marker.startsWith('•') ? '' : marker}${text}`;
}

function tableOf(rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => plain(cell)).join(' | ')} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(head.map(() => '---')), ...others.map(line)].join('\n');
}

/** Signs that would mean something to a reader of Markdown; in running text few of them do. */
function plain(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[\\`*|~]|<(?=[a-z/!?])|\](?=[([:])|(?<!\w)_|_(?!\w)/gi, '\\$&');
}

function escapeStart(line: string): string {
  const start = LINE_START.exec(line)?.[0];
  if (start === undefined) return line;
  const sign = /^\d/.test(start) ? start.length - 1 : 0;
  return `${line.slice(0, sign)}\\${line.slice(sign)}`;
}
