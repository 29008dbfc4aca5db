// What a mail's RTF says: the HTML it was made from, where Outlook has wrapped that ([MS-OXRTFEX]), else its text.
import { TextDecoder } from 'node:util';
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { encodingOfCharset, encodingOfCodepage } from './windows-encodings.ts';

interface Group {
  /** Nothing in it is read: fonts, colours, pictures and whatever is marked as optional. */
  ignored: boolean;
  /** Markup of the wrapped HTML, to be taken as it is. */
  markup: boolean;
  /** RTF that only stands in for the markup beside it. */
  standIn: boolean;
  font: number;
  /** Characters that follow \u for programs that do not know it. */
  fallback: number;
}

const MAX_GROUPS = 1000;
const DESTINATIONS = new Set(
  'fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr ftnsep listtable'.split(
    ' ',
  ),
);
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  endash: '–',
  emdash: '—',
  '~': '\u00a0',
  _: '\u2011',
  '-': '',
};
const WORD = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|([^a-z]))|[{}]|[\r\n]+|[^\\{}\r\n]+/giy;

export function rtfBody(rtf: Uint8Array): { html: string } | { text: string } {
  const source = Buffer.from(rtf.buffer, rtf.byteOffset, rtf.byteLength).toString('latin1');
  const wrapsHtml = /\\fromhtml1?(?![a-z0-9])/.test(source.slice(0, 1000));
  const text = readRtf(source, wrapsHtml);
  return wrapsHtml ? { html: text } : { text };
}

const decoders = new Map<string, TextDecoder>();

function decoderFor(label: string): TextDecoder {
  const decoder = decoders.get(label) ?? new TextDecoder(label);
  decoders.set(label, decoder);
  return decoder;
}

function readRtf(source: string, wrapsHtml: boolean): string {
  const parts: string[] = [];
  const fonts = new Map<number, string>();
  const groups: Group[] = [];
  let group: Group = { ignored: false, markup: false, standIn: false, font: 0, fallback: 1 };
  let codepage = 'windows-1252';
  let bytes: number[] = [];
  let skip = 0;
  let optional = false;
  let inFonts = 0;

  const write = (text: string): void => {
    if (bytes.length > 0) flushBytes();
    if (group.ignored || group.standIn || text === '') return;
    parts.push(wrapsHtml && !group.markup ? escapeHtml(text) : text);
  };
  const flushBytes = (): void => {
    const decoded = decoderFor(fonts.get(group.font) ?? codepage).decode(Uint8Array.from(bytes));
    bytes = [];
    write(decoded);
  };
  const control = (word: string, value: number | undefined): void => {
    const isOptional = optional;
    optional = false;
    if (word === 'ansicpg') codepage = encodingOfCodepage(value) ?? codepage;
    else if (word === 'fcharset' && inFonts > 0) fonts.set(group.font, encodingOfCharset(value) ?? codepage);
    else if (word === 'f') group.font = value ?? 0;
    else if (word === 'uc') group.fallback = Math.min(10, Math.max(0, value ?? 1));
    else if (word === 'u') {
      write(String.fromCharCode((value ?? 63) & 0xffff));
      skip = group.fallback;
    } else if (word === 'htmlrtf') group.standIn = value !== 0;
    else if (word === 'htmltag' && wrapsHtml) group.markup = true;
    else if (isOptional || DESTINATIONS.has(word)) group.ignored = true;
    else if (SIGNS[word] !== undefined) write(SIGNS[word]);
    if (word === 'fonttbl') inFonts = groups.length;
  };

  for (const [token, word, value, hex, sign] of source.matchAll(WORD)) {
    const isByte = hex !== undefined;
    if (!isByte && bytes.length > 0) flushBytes();
    if (token === '{') {
      if (groups.length >= MAX_GROUPS) break;
      groups.push(group);
      group = { ...group };
    } else if (token === '}') {
      group = groups.pop() ?? group;
      if (groups.length < inFonts) inFonts = 0;
    } else if (isByte) {
      if (skip > 0) skip -= 1;
      else bytes.push(Number.parseInt(hex, 16));
    } else if (word !== undefined) control(word, value === undefined ? undefined : Number(value));
    else if (sign === '*') optional = true;
    else if (sign !== undefined) write('\\{}'.includes(sign) ? sign : (SIGNS[sign] ?? ''));
    else if (!/^[\r\n]/.test(token)) {
      write(token.slice(skip));
      skip = Math.max(0, skip - token.length);
    }
  }
  if (bytes.length > 0) flushBytes();
  return parts.join('');
}
