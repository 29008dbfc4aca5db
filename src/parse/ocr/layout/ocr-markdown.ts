// Writes recognised text as Markdown. Text larger than the rest becomes a heading.

import { markdownTable } from '../../../markup/markdown-table.ts';
import type { BlockBox, BlockType } from '../../../page/parsed.ts';
import type { OcrBlock, OcrText } from '../ocr.ts';

export interface MarkdownBlock {
  type: BlockType;
  /** Markdown. */
  content: string;
  bbox: BlockBox;
  /** 0 to 1. */
  confidence: number;
}

/** Relative to the size of most of the text. */
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

/** In reading order. Their contents, joined by blank lines, are the Markdown of the picture. */
export function ocrBlocks(text: OcrText): MarkdownBlock[] {
  const usual = usualHeight(text.blocks);
  return text.blocks.map((block) => {
    const { bbox, confidence } = block;
    const type = blockTypeOf(block, usual);
    return { type, content: contentOf(block, type), bbox, confidence };
  });
}

/** The median height, weighted by letters. */
function usualHeight(blocks: readonly OcrBlock[]): number {
  const all = blocks.reduce((sum, { text }) => sum + text.length, 0);
  let seen = 0;
  for (const { text, lineHeight } of blocks.toSorted((a, b) => a.lineHeight - b.lineHeight)) {
    seen += text.length;
    if (seen * 2 >= all) return lineHeight;
  }
  return 0;
}

function blockTypeOf({ text, lineHeight, rows }: OcrBlock, usual: number): BlockType {
  if (rows) return 'table';
  const isShort = text.length <= MAX_HEADING_LETTERS && text.split('\n').length <= MAX_HEADING_LINES;
  if (!isShort || ITEM.test(text) || !/\p{L}{2}/u.test(text) || lineHeight < usual * HEADING_SIZE) return 'text';
  return lineHeight >= usual * TITLE_SIZE ? 'title' : 'section_header';
}

function contentOf({ text, rows = [] }: OcrBlock, type: BlockType): string {
  if (type === 'table') return markdownTable(rows.map((row) => row.map(escapeMarkdown)));
  if (type !== 'text') return `${type === 'title' ? '#' : '##'} ${escapeMarkdown(text.replaceAll('\n', ' '))}`;
  const lines = text.split('\n');
  if (ITEM.test(text)) return lines.map(itemOf).join('\n');
  return lines.map((line) => escapeStart(escapeMarkdown(line))).join('  \n');
}

function itemOf(line: string): string {
  const [marker = ''] = ITEM.exec(line) ?? [];
  const text = escapeStart(escapeMarkdown(line.slice(marker.length)));
  return /^\d/.test(marker) ? marker + text : `- ${marker.startsWith('•') ? '' : marker}${text}`;
}

/** Escapes only characters that have a meaning in running text. */
function escapeMarkdown(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[\\`*|~]|<(?=[a-z/!?])|\](?=[([:])|(?<!\w)_|_(?!\w)/gi, '\\$&');
}

function escapeStart(line: string): string {
  const start = LINE_START.exec(line)?.[0];
  if (start === undefined) return line;
  const position = /^\d/.test(start) ? start.length - 1 : 0;
  return `${line.slice(0, position)}\\${line.slice(position)}`;
}
