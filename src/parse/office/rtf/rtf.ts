// Rich Text before the engine reads it: hidden and deleted text taken out, marks for what the engine has no words for, headings told
// by their styles, comments and properties set aside.
import { type Comment, MAX_COMMENTS } from '../office-comments.ts';
import { type Metadata, metadataFrom } from '../office-properties.ts';
import { MARK } from '../text-marks.ts';
import { depthOfName, isCodeName, isQuoteName } from '../word/word-styles.ts';
import { type RtfToken, rtfText, rtfTokens } from './rtf-tokens.ts';

export interface PreparedRtf {
  bytes: Uint8Array;
  comments: Comment[];
  metadata: Metadata;
}

/** What is said of a run of text. */
type Look = 'sup' | 'sub' | 'code' | undefined;

interface Group {
  /** Where its content begins. */
  from: number;
  /** The destination it is, '' for text of the document. */
  destination: string;
  isHidden: boolean;
  look: Look;
}

const DESTINATIONS = new Set(
  'fonttbl colortbl stylesheet info listtable listoverridetable pict object header headerl headerr headerf footer footerl footerr footerf themedata datastore latentstyles rsidtbl generator fldinst listtext pntext'.split(
    ' ',
  ),
);
const INFO: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['author', 'author'],
  ['subject', 'subject'],
  ['keywords', 'keywords'],
  ['doccomm', 'description'],
  ['creatim', 'publishedTime'],
  ['revtim', 'modifiedTime'],
]);
const MAX_GROUPS = 2000;
const HEADING = /^heading ([1-9])$/i;

export function prepareRtf(bytes: Uint8Array): PreparedRtf {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const codePage = `windows-${/\\ansicpg(\d{3,5})/.exec(source.slice(0, 4000))?.[1] ?? '1252'}`;
  const styles = new Map<string, string>();
  const found = new Map<string, string[]>();
  const comments: Comment[] = [];
  const writer = createWriter(source, styles);
  const groups: Group[] = [{ from: 0, destination: '', isHidden: false, look: undefined }];
  let author = '';

  const closed = (group: Group, end: number) => {
    const text = () => rtfText(source, group.from, end, codePage);
    if (group.destination === 'style') addStyle(styles, source.slice(group.from, end), text());
    else if (group.destination === 'atnauthor') author = text();
    else if (group.destination === 'annotation' && comments.length < MAX_COMMENTS) {
      const said = text();
      if (said !== '') comments.push({ author, text: said, about: '' });
      author = '';
    } else if (group.destination.startsWith('info:')) {
      const name = group.destination.slice(5);
      const value = name.endsWith('Time') ? timeOf(source.slice(group.from, end)) : text();
      if (value !== '') found.set(name, [value]);
    }
  };

  for (const token of rtfTokens(source)) {
    const group = groups.at(-1)!;
    if (token.kind === 'open' && groups.length < MAX_GROUPS) {
      groups.push({
        ...group,
        from: token.to,
        destination: group.destination === 'stylesheet' ? 'style' : group.destination,
      });
    } else if (token.kind === 'close' && groups.length > 1) {
      groups.pop();
      if (group.destination !== groups.at(-1)!.destination) closed(group, token.from);
    } else if (token.kind === 'word') enter(group, token, styles);
    writer.write(token, groups.at(-1)!);
  }
  return { bytes: Buffer.from(writer.finish(), 'latin1'), comments, metadata: metadataFrom(found) };
}

/** What a control word makes of the group that it stands in. */
function enter(group: Group, { name, value, from }: RtfToken, styles: ReadonlyMap<string, string>): void {
  const isFirst = from - group.from <= 2;
  if (name === '*' && isFirst && group.destination === '') group.destination = '*';
  else if (group.destination === '*' && isFirst) group.destination = name === 'footnote' ? '' : name;
  else if (group.destination === 'info' && INFO.has(name)) group.destination = `info:${INFO.get(name)}`;
  else if (group.destination === '' && isFirst && DESTINATIONS.has(name)) group.destination = name;
  else if (name === 'v' || name === 'deleted') group.isHidden = value !== 0;
  else if (name === 'super' || name === 'sub') group.look = value === 0 ? undefined : name === 'sub' ? 'sub' : 'sup';
  else if (name === 'cs' && isCodeName(styles.get(`cs${value}`) ?? '')) group.look = 'code';
  else if (name === 'nosupersub') group.look = undefined;
  else if (name === 'plain') {
    group.isHidden = false;
    group.look = undefined;
  }
}

/** Of paragraphs (s1) and of characters (cs1). */
function addStyle(styles: Map<string, string>, words: string, name: string): void {
  const id = /\\(c?s\d{1,5})(?!\d)/.exec(words)?.[1];
  if (id !== undefined) styles.set(id, name.replace(/;$/, '').trim());
}

function timeOf(words: string): string {
  const part = (name: string): string => new RegExp(`\\\\${name}(\\d{1,4})`).exec(words)?.[1] ?? '0';
  const two = (name: string): string => part(name).padStart(2, '0');
  return part('yr') === '0'
    ? ''
    : `${part('yr').padStart(4, '0')}-${two('mo')}-${two('dy')}T${two('hr')}:${two('min')}:00`;
}

const ENDS_PARAGRAPH = new Set(['par', 'pard', 'sect', 'page', 'cell', 'nestcell', 'row', 'nestrow']);
/** Words that show something. */
const SHOWN = new Set([
  "'",
  'u',
  'tab',
  'line',
  '~',
  'emdash',
  'endash',
  'lquote',
  'rquote',
  'ldblquote',
  'rdblquote',
  'bullet',
  '{',
  '}',
  '\\',
]);

interface Writer {
  write(token: RtfToken, group: Group): void;
  finish(): string;
}

function createWriter(source: string, styles: ReadonlyMap<string, string>): Writer {
  const parts: string[] = [];
  let open: Look;
  // What the style of the paragraph says, and whether that stands in the text yet.
  let sign = '';
  let isSigned = false;

  const settle = (wanted: Look) => {
    if (open === wanted) return;
    if (open) parts.push(written(MARK[`${open}End`]));
    if (wanted) parts.push(written(MARK[wanted]));
    open = wanted;
  };
  const signParagraph = () => {
    if (!isSigned && sign !== '') parts.push(written(sign));
    isSigned = true;
  };

  return {
    write({ kind, name, value, from, to }, group) {
      const words = source.slice(from, to);
      const isDocument = group.destination === '';
      const isShown = kind === 'text' ? /[^\r\n]/.test(words) : kind === 'word' && SHOWN.has(name);
      if (isDocument && isShown) {
        if (group.isHidden) return;
        signParagraph();
        if (kind !== 'text' || words.trim() !== '') settle(group.look);
      }
      if (isDocument && kind === 'close') settle(group.look);
      if (isDocument && kind === 'word' && ENDS_PARAGRAPH.has(name)) {
        settle(undefined);
        isSigned = false;
        if (name === 'pard') sign = '';
      }
      parts.push(words);
      if (!isDocument || kind !== 'word' || name !== 's') return;
      const style = styles.get(`s${value}`) ?? '';
      sign = signOf(style);
      const level = HEADING.exec(style)?.[1];
      if (level !== undefined) parts.push(`\\outlinelevel${Number(level) - 1} `);
    },
    finish: () => parts.join(''),
  };
}

function signOf(style: string): string {
  if (style === 'Title') return MARK.title;
  if (isCodeName(style)) return MARK.codeLine;
  return isQuoteName(style) ? MARK.quote : MARK.deeper.repeat(depthOfName(style));
}

/** A mark in RTF: signed, in 16 bits, and nothing to stand in for it. */
const written = (marks: string): string =>
  `{\\uc0${[...marks].map((mark) => `\\u${mark.charCodeAt(0) - 0x10000}`).join('')} }`;
