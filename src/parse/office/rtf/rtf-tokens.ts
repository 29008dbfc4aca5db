// Rich Text Format as a row of tokens, and the plain text of a part of it.

export interface RtfToken {
  kind: 'open' | 'close' | 'word' | 'text';
  /** Of a control word without its backslash, or of a control symbol. */
  name: string;
  /** The number after a control word. */
  value: number | undefined;
  /** Where it stands. Characters that stand in for a Unicode one belong to its word. */
  from: number;
  to: number;
}

const WORD = /\\([a-z]{1,32})(-?\d{1,10})? ?/iy;
const TEXT = /[^\\{}]+/y;
const HEX = /\\'[0-9a-f]{0,2}/iy;
const MAX_GROUPS = 2000;

/** `source`: the bytes as Latin-1. */
export function* rtfTokens(source: string, start = 0, end = source.length): Generator<RtfToken> {
  // How many characters stand in for a Unicode one, in each open group.
  const fallbacks = [1];
  let at = start;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  while (at < end) {
    const from = at;
    const sign = source[at];
    if (sign === '{' || sign === '}') {
      at += 1;
      if (sign === '{' && fallbacks.length < MAX_GROUPS) fallbacks.push(fallbacks.at(-1)!);
      else if (sign === '}' && fallbacks.length > 1) fallbacks.pop();
      yield { kind: sign === '{' ? 'open' : 'close', name: '', value: undefined, from, to: at };
      continue;
    }
    if (sign !== '\\') {
      at = Math.min(end, at + match(TEXT)![0].length);
      yield { kind: 'text', name: '', value: undefined, from, to: at };
      continue;
    }
    const word = match(WORD);
    if (!word) {
      at += Math.max(2, match(HEX)?.[0].length ?? 0);
      yield { kind: 'word', name: source[from + 1] ?? '', value: undefined, from, to: at };
      continue;
    }
    at += word[0].length;
    const value = word[2] === undefined ? undefined : Number(word[2]);
    if (word[1] === 'uc') fallbacks[fallbacks.length - 1] = Math.min(Math.max(value ?? 1, 0), 9);
    if (word[1] === 'bin') at += Math.max(0, value ?? 0);
    if (word[1] === 'u') for (let count = fallbacks.at(-1)!; count > 0; count--) at += fallbackLength(source, at);
    yield { kind: 'word', name: word[1]!, value, from, to: at };
  }
}

function fallbackLength(source: string, at: number): number {
  const sign = source[at];
  if (sign === undefined || sign === '{' || sign === '}') return 0;
  if (sign !== '\\') return 1;
  return source[at + 1] === "'" ? 4 : 0;
}

const SIGNS: Readonly<Record<string, string>> = {
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

/** What a reader would see of it, without what stands in groups that a reader may skip. */
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
    else text += Object.hasOwn(SIGNS, name) ? SIGNS[name] : '';
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
