// Tokenizes RTF and extracts plain text from a part of it.

export interface RtfToken {
  kind: 'open' | 'close' | 'word' | 'text';
  /** A control word without its backslash, or a control symbol. */
  name: string;
  /** The number after a control word. */
  value: number | undefined;
  /** Position in the source. The replacement characters after `\u` belong to its token. */
  from: number;
  to: number;
}

const WORD = /\\([a-z]{1,32})(-?\d{1,10})? ?/iy;
const TEXT = /[^\\{}]+/y;
const HEX = /\\'[0-9a-f]{0,2}/iy;
const MAX_GROUPS = 2000;

/** `source`: the bytes as Latin-1. */
export function* rtfTokens(source: string, start = 0, end = source.length): Generator<RtfToken> {
  // How many characters replace a Unicode one for old readers, in each open group.
  const fallbacks = [1];
  for (let at = start; at < end; ) {
    const token = readToken(source, at, end);
    if (token.kind === 'open' && fallbacks.length < MAX_GROUPS) fallbacks.push(fallbacks.at(-1)!);
    else if (token.kind === 'close' && fallbacks.length > 1) fallbacks.pop();
    else if (token.name === 'uc') fallbacks[fallbacks.length - 1] = Math.min(Math.max(token.value ?? 1, 0), 9);
    else if (token.name === 'bin') token.to += Math.max(0, token.value ?? 0);
    else if (token.name === 'u') token.to += fallbackLength(source, token.to, fallbacks.at(-1)!);
    at = token.to;
    yield token;
  }
}

function readToken(source: string, from: number, end: number): RtfToken {
  const character = source[from];
  if (character === '{') return { kind: 'open', name: '', value: undefined, from, to: from + 1 };
  if (character === '}') return { kind: 'close', name: '', value: undefined, from, to: from + 1 };
  if (character !== '\\') {
    const to = Math.min(end, from + matchAt(TEXT, source, from)![0].length);
    return { kind: 'text', name: '', value: undefined, from, to };
  }
  const word = matchAt(WORD, source, from);
  if (word) {
    const value = word[2] === undefined ? undefined : Number(word[2]);
    return { kind: 'word', name: word[1]!, value, from, to: from + word[0].length };
  }
  const length = Math.max(2, matchAt(HEX, source, from)?.[0].length ?? 0);
  return { kind: 'word', name: source[from + 1] ?? '', value: undefined, from, to: from + length };
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** Length of the next `count` replacement characters. */
function fallbackLength(source: string, start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0; left--) {
    const character = source[at];
    if (character === undefined || character === '{' || character === '}') break;
    if (character !== '\\') at += 1;
    else if (source[at + 1] === "'") at += 4;
    else break;
  }
  return at - start;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  tab: '\t',
  '~': '\u00a0',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  '{': '{',
  '}': '}',
  '\\': '\\',
};

/** The visible text, without groups that readers may skip. */
export function rtfText(source: string, start: number, end: number, codePage: string): string {
  let text = '';
  let depth = 0;
  let skipped = Number.POSITIVE_INFINITY;
  for (const { kind, name, value, from, to } of rtfTokens(source, start, end)) {
    if (kind === 'open') depth += 1;
    else if (kind === 'close') {
      depth -= 1;
      if (depth < skipped) skipped = Number.POSITIVE_INFINITY;
    } else if (depth >= skipped) continue;
    else if (name === '*' && depth > 0) skipped = depth;
    else if (kind === 'text') text += source.slice(from, to).replace(/[\r\n]+/g, '');
    else if (name === "'") text += decoded(source.slice(from + 2, to), codePage);
    else if (name === 'u' && value !== undefined) text += String.fromCharCode(value & 0xffff);
    else text += Object.hasOwn(CHARACTERS, name) ? CHARACTERS[name] : '';
  }
  return text.trim();
}

function decoded(hex: string, codePage: string): string {
  try {
    return new TextDecoder(codePage).decode(Buffer.from(hex, 'hex'));
  } catch {
    return '';
  }
}
