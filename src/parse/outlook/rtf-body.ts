// Reads the RTF body of a message: the original HTML if Outlook encapsulated it ([MS-OXRTFEX]), else its text.
import { TextDecoder } from 'node:util';
import { escapeHtml } from '../../markup/html/escape-html.ts';
import { charsetEncoding, codepageEncoding } from './windows-encodings.ts';

interface Group {
  /** Fonts, colours, pictures and optional destinations. */
  isIgnored: boolean;
  /** Markup of the encapsulated HTML, copied verbatim. */
  isMarkup: boolean;
  /** RTF that only duplicates the markup next to it. */
  isDuplicate: boolean;
  font: number;
  /** Number of replacement characters after \u for old readers. */
  fallback: number;
}

const MAX_GROUPS = 1000;
const DESTINATIONS = new Set(
  'fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr ftnsep listtable'.split(
    ' ',
  ),
);
const CHARACTERS: Readonly<Record<string, string>> = {
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
const TOKEN = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|([^a-z]))|[{}]|[\r\n]+|[^\\{}\r\n]+/giy;

interface RtfState {
  readonly wrapsHtml: boolean;
  readonly parts: string[];
  /** Encodings by font number. */
  readonly fonts: Map<number, string>;
  readonly decoders: Map<string, TextDecoder>;
  readonly groups: Group[];
  group: Group;
  codepage: string;
  /** Bytes of a character sequence that is not decoded yet. */
  bytes: number[];
  /** Replacement characters still to skip. */
  skip: number;
  /** The next control word starts an optional destination. */
  isOptional: boolean;
  /** Depth of the font table; 0 outside of it. */
  fontTable: number;
}

export function rtfBody(rtf: Uint8Array): { html: string } | { text: string } {
  const source = Buffer.from(rtf.buffer, rtf.byteOffset, rtf.byteLength).toString('latin1');
  const wrapsHtml = /\\fromhtml1?(?![a-z0-9])/.test(source.slice(0, 1000));
  const text = readRtf(source, wrapsHtml);
  return wrapsHtml ? { html: text } : { text };
}

function readRtf(source: string, wrapsHtml: boolean): string {
  const state: RtfState = {
    wrapsHtml,
    parts: [],
    fonts: new Map(),
    decoders: new Map(),
    groups: [],
    group: { isIgnored: false, isMarkup: false, isDuplicate: false, font: 0, fallback: 1 },
    codepage: 'windows-1252',
    bytes: [],
    skip: 0,
    isOptional: false,
    fontTable: 0,
  };
  for (const token of source.matchAll(TOKEN)) {
    if (token[0] === '{' && state.groups.length >= MAX_GROUPS) break;
    readToken(state, token);
  }
  flushBytes(state);
  return state.parts.join('');
}

function readToken(state: RtfState, [token, word, value, hex, symbol]: RegExpExecArray): void {
  if (hex !== undefined) {
    if (state.skip > 0) state.skip -= 1;
    else state.bytes.push(Number.parseInt(hex, 16));
    return;
  }
  flushBytes(state);
  if (token === '{') openGroup(state);
  else if (token === '}') closeGroup(state);
  else if (word !== undefined) applyWord(state, word, value === undefined ? undefined : Number(value));
  else if (symbol === '*') state.isOptional = true;
  else if (symbol !== undefined) write(state, '\\{}'.includes(symbol) ? symbol : (CHARACTERS[symbol] ?? ''));
  else if (!/^[\r\n]/.test(token)) {
    write(state, token.slice(state.skip));
    state.skip = Math.max(0, state.skip - token.length);
  }
}

function openGroup(state: RtfState): void {
  state.groups.push(state.group);
  state.group = { ...state.group };
}

function closeGroup(state: RtfState): void {
  state.group = state.groups.pop() ?? state.group;
  if (state.groups.length < state.fontTable) state.fontTable = 0;
}

function applyWord(state: RtfState, word: string, value: number | undefined): void {
  const { group, codepage } = state;
  const isOptional = state.isOptional;
  state.isOptional = false;
  switch (word) {
    case 'ansicpg':
      state.codepage = codepageEncoding(value) ?? codepage;
      return;
    case 'f':
      group.font = value ?? 0;
      return;
    case 'uc':
      group.fallback = Math.min(10, Math.max(0, value ?? 1));
      return;
    case 'u':
      write(state, String.fromCharCode((value ?? 63) & 0xffff));
      state.skip = group.fallback;
      return;
    case 'htmlrtf':
      group.isDuplicate = value !== 0;
      return;
  }
  if (word === 'fcharset' && state.fontTable > 0) state.fonts.set(group.font, charsetEncoding(value) ?? codepage);
  else if (word === 'htmltag' && state.wrapsHtml) group.isMarkup = true;
  else if (isOptional || DESTINATIONS.has(word)) group.isIgnored = true;
  else if (CHARACTERS[word] !== undefined) write(state, CHARACTERS[word]);
  if (word === 'fonttbl') state.fontTable = state.groups.length;
}

function write({ group, parts, wrapsHtml }: RtfState, text: string): void {
  if (group.isIgnored || group.isDuplicate || text === '') return;
  parts.push(wrapsHtml && !group.isMarkup ? escapeHtml(text) : text);
}

function flushBytes(state: RtfState): void {
  if (state.bytes.length === 0) return;
  const encoding = state.fonts.get(state.group.font) ?? state.codepage;
  const decoder = state.decoders.get(encoding) ?? new TextDecoder(encoding);
  state.decoders.set(encoding, decoder);
  const text = decoder.decode(Uint8Array.from(state.bytes));
  state.bytes = [];
  write(state, text);
}
