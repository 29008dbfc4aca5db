// LaTeX sources: headings, lists, tables, notes and formulas as HTML. Nothing is executed, and no other file is read.
import { decodeHTML } from 'entities';
import { decodeText } from '../../markup/charset.ts';
import type { FormatParser } from '../format-parser.ts';
import { readTex } from './read-tex.ts';
import { titleHtml } from './tex-commands.ts';
import { expandMacros } from './tex-macros.ts';
import type { TexDocument } from './tex-reader.ts';

const MAX_LENGTH = 10_000_000;
const BEGIN = '\\begin{document}';
/** Paragraphs that were begun before something that is none. */
const EMPTY_PARAGRAPH = /<p>\s*(?=<(?:p|h\d|pre|table|\/?(?:ul|ol|dl|li|dt|dd|blockquote))[ >]|$)/g;
const END = '\\end{document}';

export const parseTex: FormatParser = async ({ bytes }) => {
  const whole = decodeText(bytes, '', { html: false }).text.replace(/\r\n?/g, '\n');
  const source = expandMacros(whole.slice(0, MAX_LENGTH));
  const begin = source.indexOf(BEGIN);
  const end = source.indexOf(END, begin);
  const body = source.slice(begin === -1 ? 0 : begin + BEGIN.length, end === -1 ? undefined : end);
  const document: TexDocument = {
    about: new Map(),
    notes: [],
    theorems: new Map(),
    warnings: new Set(),
    captions: new Map(),
    headingLevel: /\\title\s{0,9}[[{]/.test(source) ? 2 : 1,
    hasChapters: /\\chapter\*?\s{0,9}[[{]/.test(body),
  };
  if (begin !== -1) readTex(source.slice(0, begin), document);
  const html = readTex(body, document);
  const title = body.includes('\\maketitle') ? '' : titleHtml(document.about);
  if (whole.length > MAX_LENGTH) document.warnings.add('The source is very long; only its beginning was read.');
  const notes = document.notes.map((note, at) => `<p id="fn${at + 1}">${note}</p>`);
  return {
    body: { html: [title, html, ...notes].join('\n').replace(EMPTY_PARAGRAPH, '') },
    metadata: metadataOf(document.about),
    warnings: [...document.warnings],
  };
};

function metadataOf(about: ReadonlyMap<string, string>): Record<string, string> {
  const plain = (name: string): string =>
    decodeHTML((about.get(name) ?? '').replace(/<br>/g, ', ').replace(/<[^>]*>/g, ''))
      .replace(/\s+/g, ' ')
      .replace(/ ?(?:, ){1,9}/g, ', ')
      .trim();
  const sent = Date.parse(`${plain('date')} UTC`);
  const found = {
    title: plain('title'),
    author: plain('author'),
    publishedTime: Number.isNaN(sent) ? '' : new Date(sent).toISOString(),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
}
