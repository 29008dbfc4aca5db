// Prepares RTF for the engine: removes hidden and deleted text, adds marks for what the engine does not model, turns
// heading styles into outline levels, and collects comments and properties.
import { MAX_COMMENTS, type OfficeComment } from '../office-comments.ts';
import { type FileMetadata, toMetadata } from '../office-properties.ts';
import { MARK } from '../text-marks.ts';
import { isCodeName, isQuoteName, listDepthOfName } from '../word/word-styles.ts';
import { type RtfToken, rtfText, rtfTokens } from './rtf-tokens.ts';

export interface PreparedRtf {
  bytes: Uint8Array;
  comments: OfficeComment[];
  metadata: FileMetadata;
}

/** The style of a run of text that the engine does not model. */
type RunStyle = 'sup' | 'sub' | 'code' | undefined;

interface Group {
  /** Start of its content. */
  from: number;
  /** The RTF destination; '' for body text. */
  destination: string;
  isHidden: boolean;
  style: RunStyle;
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
  const comments: OfficeComment[] = [];
  const writer = createWriter(source, styles);
  const groups: Group[] = [{ from: 0, destination: '', isHidden: false, style: undefined }];
  let author = '';

  const closed = (group: Group, end: number) => {
    const text = () => rtfText(source, group.from, end, codePage);
    if (group.destination === 'style') addStyle(styles, source.slice(group.from, end), text());
    else if (group.destination === 'atnauthor') author = text();
    else if (group.destination === 'annotation' && comments.length < MAX_COMMENTS) {
      const comment = text();
      if (comment !== '') comments.push({ author, text: comment, quoted: '' });
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
    } else if (token.kind === 'word') applyWord(group, token, styles);
    writer.write(token, groups.at(-1)!);
  }
  return { bytes: Buffer.from(writer.finish(), 'latin1'), comments, metadata: toMetadata(found) };
}

/** Applies a control word to the group that contains it. */
function applyWord(group: Group, { name, value, from }: RtfToken, styles: ReadonlyMap<string, string>): void {
  const isFirst = from - group.from <= 2;
  if (name === '*' && isFirst && group.destination === '') group.destination = '*';
  else if (group.destination === '*' && isFirst) group.destination = name === 'footnote' ? '' : name;
  else if (group.destination === 'info' && INFO.has(name)) group.destination = `info:${INFO.get(name)}`;
  else if (group.destination === '' && isFirst && DESTINATIONS.has(name)) group.destination = name;
  else if (name === 'v' || name === 'deleted') group.isHidden = value !== 0;
  else if (name === 'super' || name === 'sub') group.style = value === 0 ? undefined : name === 'sub' ? 'sub' : 'sup';
  else if (name === 'cs' && isCodeName(styles.get(`cs${value}`) ?? '')) group.style = 'code';
  else if (name === 'nosupersub') group.style = undefined;
  else if (name === 'plain') {
    group.isHidden = false;
    group.style = undefined;
  }
}

/** Paragraph styles are called s1, character styles cs1. */
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
/** Control words that produce visible text. */
const VISIBLE_WORDS = new Set([
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
  let open: RunStyle;
  // The mark of the paragraph's style, and whether it has been written yet.
  let mark = '';
  let isMarked = false;

  const setStyle = (wanted: RunStyle) => {
    if (open === wanted) return;
    if (open) parts.push(markRtf(MARK[`${open}End`]));
    if (wanted) parts.push(markRtf(MARK[wanted]));
    open = wanted;
  };
  const markParagraph = () => {
    if (!isMarked && mark !== '') parts.push(markRtf(mark));
    isMarked = true;
  };
  const endParagraph = (name: string) => {
    setStyle(undefined);
    isMarked = false;
    if (name === 'pard') mark = '';
  };
  const setParagraphStyle = (style: string) => {
    mark = paragraphMark(style);
    const level = HEADING.exec(style)?.[1];
    if (level !== undefined) parts.push(`\\outlinelevel${Number(level) - 1} `);
  };

  return {
    write({ kind, name, value, from, to }, group) {
      const words = source.slice(from, to);
      if (group.destination !== '') {
        parts.push(words);
        return;
      }
      if (isVisible(kind, name, words)) {
        if (group.isHidden) return;
        markParagraph();
        if (kind !== 'text' || words.trim() !== '') setStyle(group.style);
      }
      if (kind === 'close') setStyle(group.style);
      if (kind === 'word' && ENDS_PARAGRAPH.has(name)) endParagraph(name);
      parts.push(words);
      if (kind === 'word' && name === 's') setParagraphStyle(styles.get(`s${value}`) ?? '');
    },
    finish: () => parts.join(''),
  };
}

const isVisible = (kind: RtfToken['kind'], name: string, words: string): boolean =>
  kind === 'text' ? /[^\r\n]/.test(words) : kind === 'word' && VISIBLE_WORDS.has(name);

function paragraphMark(style: string): string {
  if (style === 'Title') return MARK.title;
  if (isCodeName(style)) return MARK.codeLine;
  return isQuoteName(style) ? MARK.quote : MARK.nested.repeat(listDepthOfName(style));
}

/** RTF writes code points as signed 16-bit numbers. `\uc0`: without replacement characters. */
const markRtf = (marks: string): string =>
  `{\\uc0${[...marks].map((mark) => `\\u${mark.charCodeAt(0) - 0x10000}`).join('')} }`;
