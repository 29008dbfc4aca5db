// Parses a typed query into clauses. Every text is a valid query: what cannot be an operator is text.
import type { Clause, FieldClause, Query, Source } from '../../contracts/search/search-query.ts';
import { isSearchable, splitWords } from './operand.ts';
import { plainWords } from './plain-words.ts';
import { cleanText, type PlacedPiece, scan } from './scan-query.ts';

/** Text first, as typed, then operators. Lists come last, because in a written query they take every word after them. */
const KIND_ORDER: Record<Clause['kind'], number> = {
  word: 0,
  phrase: 0,
  intitle: 1,
  inurl: 2,
  site: 3,
  filetype: 4,
  related: 5,
  imagesize: 6,
  larger: 7,
  allintitle: 8,
  allinurl: 9,
};

/** Keeps sites together, and file types, because they are alternatives. */
const sortRank = ({ kind, negated }: Clause): number =>
  2 * KIND_ORDER[kind] + (negated && KIND_ORDER[kind] > 0 ? 1 : 0);

/** A clause, and where it stands in the clean text. */
export interface QueryItem {
  clause: Clause;
  /** Next to an OR: it need not match. */
  isOptional: boolean;
  start: number;
  end: number;
}

export function parseQuery(text: string): Query {
  const clauses = readItems(cleanText(text)).flatMap(clausesOf);
  clauses.sort((a, b) => sortRank(a) - sortRank(b));
  return { text: text.toWellFormed().trim(), clauses };
}

/** Whether the query says what to look for. Signs and exclusions alone do not, and sizes only for images. */
export const hasSubject = ({ clauses }: Query, source: Source): boolean =>
  clauses.some((clause) => !clause.negated && isSubject(clause, source));

function isSubject(clause: Clause, source: Source): boolean {
  if (clause.kind === 'word' || clause.kind === 'phrase') return isSearchable(clause.text);
  return source === 'images' || (clause.kind !== 'imagesize' && clause.kind !== 'larger');
}

/** Expects the output of `cleanText`. */
export function readItems(text: string): QueryItem[] {
  const pieces = [...scan(text)];
  const items: QueryItem[] = [];
  let list: FieldClause | undefined;
  let isAfterOr = false;

  const add = (clause: Clause, { start, end }: PlacedPiece) => {
    items.push({ clause, isOptional: isAfterOr, start, end });
    isAfterOr = false;
  };
  const addToList = (words: readonly string[], { end }: PlacedPiece) => {
    list!.words.push(...words);
    items.at(-1)!.end = end;
  };
  const addWord = (word: string, piece: PlacedPiece) => {
    if (list) addToList([word], piece);
    else add({ kind: 'word', text: word, negated: false }, piece);
  };
  const addOr = () => {
    const last = items.at(-1);
    if (last) last.isOptional = true;
    isAfterOr = true;
  };
  const addText = (piece: Extract<PlacedPiece, { what: 'text' }>) => {
    const { text, isQuoted, negated } = piece;
    if (list && !negated) {
      addToList(splitWords(text), piece);
      isAfterOr = false;
      return;
    }
    list = undefined;
    add({ kind: isQuoted ? 'phrase' : 'word', text, negated }, piece);
  };

  for (const [index, piece] of pieces.entries()) {
    switch (piece.what) {
      case 'link': {
        // At either end it is a word: "Portland OR", "OR tools".
        const isLink = index > 0 && index < pieces.length - 1;
        if (!isLink && piece.word !== '') addWord(piece.word, piece);
        else if (isLink && piece.isOr) addOr();
        break;
      }
      case 'list':
        list = { kind: piece.kind, words: piece.words, negated: piece.negated };
        add(list, piece);
        break;
      case 'clause':
        list = undefined;
        add(piece.clause, piece);
        break;
      case 'text':
        addText(piece);
    }
  }
  return items;
}

function clausesOf({ clause, isOptional }: QueryItem): Clause[] {
  switch (clause.kind) {
    case 'phrase':
      return isOptional && !clause.negated ? ranking(clause.text) : [clause];
    case 'intitle':
    case 'inurl':
    case 'allintitle':
    case 'allinurl':
      if (clause.words.length === 0) return [];
      return isOptional && !clause.negated ? ranking(clause.words.join(' ')) : [clause];
    default:
      return [clause];
  }
}

/** Only sites and file types can be alternatives. Of other clauses the words remain, which rank but never exclude. */
const ranking = (text: string): Clause[] =>
  plainWords(text).map((word) => ({ kind: 'word', text: word, negated: false }));
