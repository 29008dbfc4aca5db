// What was typed into a search, as a tree. Whatever the text, there is a tree for it: what cannot be an operator is text.
import type { Clause, FieldClause, Query } from '../../contracts/search-query.ts';
import { splitWords } from './operand.ts';
import { plainWords } from './plain-words.ts';
import { cleanText, scan } from './scan-query.ts';

/** Text first, as it was typed, then the operators; lists at the end, because printed they take every word behind them. */
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

/** Sites (and file types) that stand for each other stand together. */
const sortRank = ({ kind, negated }: Clause): number =>
  2 * KIND_ORDER[kind] + (negated && KIND_ORDER[kind] > 0 ? 1 : 0);

interface Item {
  clause: Clause;
  /** Beside an OR: it need not hold. */
  isOptional: boolean;
}

export function parseQuery(text: string): Query {
  const clauses = readItems(cleanText(text)).flatMap(clausesOf);
  clauses.sort((a, b) => sortRank(a) - sortRank(b));
  return { text: text.toWellFormed().trim(), clauses };
}

function readItems(text: string): Item[] {
  const pieces = [...scan(text)];
  const items: Item[] = [];
  let list: FieldClause | undefined;
  let isAfterOr = false;
  const add = (clause: Clause) => {
    items.push({ clause, isOptional: isAfterOr });
    isAfterOr = false;
  };
  pieces.forEach((piece, index) => {
    switch (piece.what) {
      case 'link': {
        // At either end it links nothing: "Portland OR", "OR tools".
        const isLink = index > 0 && index < pieces.length - 1;
        if (!isLink && piece.word !== '') {
          if (list) list.words.push(piece.word);
          else add({ kind: 'word', text: piece.word, negated: false });
        } else if (isLink && piece.isOr) {
          const last = items.at(-1);
          if (last) last.isOptional = true;
          isAfterOr = true;
        }
        break;
      }
      case 'list':
        list = { kind: piece.kind, words: piece.words, negated: piece.negated };
        add(list);
        break;
      case 'clause':
        list = undefined;
        add(piece.clause);
        break;
      case 'text':
        if (list && !piece.negated) {
          for (const word of splitWords(piece.text)) list.words.push(word);
          isAfterOr = false;
          break;
        }
        list = undefined;
        add({ kind: piece.isQuoted ? 'phrase' : 'word', text: piece.text, negated: piece.negated });
    }
  });
  return items;
}

function clausesOf({ clause, isOptional }: Item): Clause[] {
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

/** The tree has no alternatives but sites and file types; of others the words remain, which rank and never exclude. */
const ranking = (text: string): Clause[] =>
  plainWords(text).map((word) => ({ kind: 'word', text: word, negated: false }));
