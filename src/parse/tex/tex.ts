// Parses LaTeX sources into HTML: headings, lists, tables, notes and formulas. Executes nothing and reads no other file.
import { decodeHTML } from 'entities';
import { decodeText } from '../../markup/charset.ts';
import type { FormatParser } from '../format-parser.ts';
import { readTex } from './read-tex.ts';
import { titleHtml } from './tex-commands.ts';
import { expandMacros } from './tex-macros.ts';
import type { TexState } from './tex-reader.ts';

const MAX_LENGTH = 10_000_000;
const BEGIN = '\\begin{document}';
/** Empty paragraphs in front of block elements. */
const EMPTY_PARAGRAPH = /<p>\s*(?=<(?:p|h\d|pre|table|\/?(?:ul|ol|dl|li|dt|dd|blockquote))[ >]|$)/g;
const END = '\\end{document}';

export const parseTex: FormatParser = async ({ bytes }) => {
  const whole = decodeText(bytes, '', { html: false }).text.replace(/\r\n?/g, '\n');
  const source = expandMacros(whole.slice(0, MAX_LENGTH));
  const begin = source.indexOf(BEGIN);
  const end = source.indexOf(END, begin);
  const body = source.slice(begin === -1 ? 0 : begin + BEGIN.length, end === -1 ? undefined : end);
  const state: TexState = {
    titleParts: new Map(),
    notes: [],
    theorems: new Map(),
    warnings: new Set(),
    captions: new Map(),
    headingLevel: /\\title\s{0,9}[[{]/.test(source) ? 2 : 1,
    hasChapters: /\\chapter\*?\s{0,9}[[{]/.test(body),
  };
  if (begin !== -1) readTex(source.slice(0, begin), state);
  const html = readTex(body, state);
  const title = body.includes('\\maketitle') ? '' : titleHtml(state.titleParts);
  if (whole.length > MAX_LENGTH) state.warnings.add('The source is too long; only its beginning was read.');
  const notes = state.notes.map((note, at) => `<p id="fn${at + 1}">${note}</p>`);
  return {
    body: { html: [title, html, ...notes].join('\n').replace(EMPTY_PARAGRAPH, '') },
    metadata: metadataOf(state.titleParts),
    warnings: [...state.warnings],
  };
};

function metadataOf(titleParts: ReadonlyMap<string, string>): Record<string, string> {
  const plain = (name: string): string =>
    decodeHTML((titleParts.get(name) ?? '').replace(/<br>/g, ', ').replace(/<[^>]*>/g, ''))
      .replace(/\s+/g, ' ')
      .replace(/ ?(?:, ){1,9}/g, ', ')
      .trim();
  const date = Date.parse(`${plain('date')} UTC`);
  const found = {
    title: plain('title'),
    author: plain('author'),
    publishedTime: Number.isNaN(date) ? '' : new Date(date).toISOString(),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
}
