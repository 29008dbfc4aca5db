// Tokenizes a typed query into signs, quotes and operators, from left to right without backtracking.
import type { Clause } from '../../contracts/search/search-query.ts';
import { isSearchable, isWordList, type OperatorKind, operatorNamed, readOperand, splitWords } from './operand.ts';

export type Piece =
  | { what: 'text'; text: string; isQuoted: boolean; negated: boolean }
  | { what: 'clause'; clause: Clause }
  /** Followed by words that belong to it. */
  | { what: 'list'; kind: 'allinurl' | 'allintitle'; words: string[]; negated: boolean }
  /** OR, AND or `|`; `word` is '' for the bar. */
  | { what: 'link'; isOr: boolean; word: string };

// Invisible characters (soft hyphens, direction and byte order marks) that come with copied text.
const UNSEEN = /[\u00ad\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const SPACES = /[\s\p{Cc}\u200b]+/gu;
const QUOTES = /[“”„‟«»＂]/g;
const SEPARATORS = /[ ()]*/y;
// Word processors turn a minus into a dash.
const SIGNS = /[-−–－+()]*/y;
const WORD = /[^ |"]+/y;
const OPERATOR = /^(\p{L}{3,10})[:：]/u;
const LINK = /^(?:OR|AND)$/;

export const cleanText = (text: string): string =>
  text.toWellFormed().replace(UNSEEN, '').replace(SPACES, ' ').replace(QUOTES, '"').trim();

/** A piece, and where it stands in the text. */
export type PlacedPiece = Piece & { start: number; end: number };

/** Expects the output of `cleanText`. */
export function* scan(text: string): Generator<PlacedPiece> {
  let at = 0;
  let start = 0;
  const place = (pieces: readonly Piece[]): PlacedPiece[] => pieces.map((piece) => ({ ...piece, start, end: at }));
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const readQuoted = (): string => {
    const close = text.indexOf('"', at + 1);
    const quoted = text.slice(at + 1, close === -1 ? text.length : close).trim();
    at = close === -1 ? text.length : close + 1;
    return quoted;
  };
  for (;;) {
    read(SEPARATORS);
    if (at >= text.length) return;
    start = at;
    if (text[at] === '|') {
      at++;
      yield* place([{ what: 'link', isOr: true, word: '' }]);
      continue;
    }
    const signs = read(SIGNS).replace(/[()]/g, '');
    const negated = signs.length === 1 && signs !== '+';
    if (text[at] === '"') {
      yield* place(textPiece(readQuoted(), true, negated));
      continue;
    }
    const token = withoutParenthesis(read(WORD));
    if (token === '') continue;
    const operator = OPERATOR.exec(token);
    const kind = operator ? operatorNamed(operator[1]!) : undefined;
    if (kind !== undefined) {
      const bare = withoutParenthesis(token.slice(operator![0].length).replace(/^\(+/, ''));
      const isQuoted = bare === '' && text[at] === '"';
      yield* place(operatorPiece(kind, { operand: isQuoted ? readQuoted() : bare, token, isQuoted, negated }));
    } else if (signs === '' && LINK.test(token)) {
      yield* place([{ what: 'link', isOr: token === 'OR', word: token.toLowerCase() }]);
    } else {
      yield* place(textPiece(token, false, negated));
    }
    // A quote right after a word is an inch sign or unbalanced.
    if (text[at] === '"' && at > 0 && text[at - 1] !== ' ' && isEnd(text[at + 1])) at++;
  }
}

const isEnd = (char: string | undefined): boolean => char === undefined || char === ' ' || char === '|' || char === ')';

function textPiece(text: string, isQuoted: boolean, negated: boolean): Piece[] {
  // Punctuation cannot be searched for or excluded, but unquoted it may mean something to a provider.
  if ((isQuoted || negated) && !isSearchable(text)) return [];
  return [{ what: 'text', text: LINK.test(text) && !isQuoted ? text.toLowerCase() : text, isQuoted, negated }];
}

interface Operation {
  operand: string;
  token: string;
  isQuoted: boolean;
  negated: boolean;
}

function operatorPiece(kind: OperatorKind, { operand, token, isQuoted, negated }: Operation): Piece[] {
  if (isWordList(kind)) return [{ what: 'list', kind, words: splitWords(operand), negated }];
  if (!isSearchable(operand)) return [];
  const clause = readOperand(kind, operand, negated);
  if (clause) return [{ what: 'clause', clause }];
  return negated ? [] : [{ what: 'text', text: isQuoted ? operand : token, isQuoted, negated }];
}

/** Removes trailing parentheses that belong to the surrounding text. */
function withoutParenthesis(token: string): string {
  let end = token.length;
  while (token[end - 1] === '(') end--;
  let surplus = 0;
  for (let at = 0; at < end; at++) surplus += token[at] === ')' ? 1 : token[at] === '(' ? -1 : 0;
  for (; surplus > 0 && token[end - 1] === ')'; end--) surplus--;
  return token.slice(0, end);
}
