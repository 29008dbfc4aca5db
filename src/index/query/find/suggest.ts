// "Did you mean": another query, if a word of this one is on hardly any page and looks like one that is on more. What it says
// comes only from pages that the viewer may see.
import type { Query } from '../../../contracts/search/search-query.ts';
import { distanceToBeginning, editDistance } from '../../../text/edit-distance.ts';
import { foldLatin } from '../../../text/words/fold-letters.ts';
import { eachWantedTerm, type QueryWord, queryWords } from '../../../text/words/terms.ts';
import type { IndexSuggest } from '../../page-index.ts';
import { pageKey } from '../../pages/url-key.ts';
import type { Census } from '../../segments/census.ts';
import type { PageRanking, RankedPages, SearchParts } from '../page-ranking.ts';
import { type QueryTerms, queryTerms } from '../query-terms.ts';

/** A word on more pages is probably meant. */
const RARE = 2;
/** The other query has to find more than so many times as many pages with all words. */
const CLEARLY_MORE = 3;
const SHORTEST_WORD = 4;
/** What the term of an inflected word may lack. */
const LONGEST_ENDING = 7;
const SHORTEST_PART = 3;
/** From this length on, two letters may be wrong. */
const LONG_WORD = 8;
/** Terms that begin like the word, and words that are searched for. */
const MOST_COMPARED = 2_000;
const MOST_TRIED = 3;
/** Pages that are read to see how they write a term. */
const MOST_READ = 10;
const DEPTH = 200;
const MARK = /[\ue000-\uf8ff]$/;

export function createSuggest(parts: SearchParts, { rank }: PageRanking): (wanted: IndexSuggest) => string | null {
  const { invertedIndex, columns, censusOf } = parts;

  return (wanted) => {
    const terms = queryTerms(wanted.query);
    const census = censusOf(wanted.viewer);
    const pagesWith = (forms: readonly string[]) =>
      forms.reduce((sum, form) => sum + invertedIndex.docFrequency(form, census), 0);
    const apart = new Set(
      wanted.setApart.flatMap((url) => wanted.viewer.flatMap((owner) => columns.docsWithKey(pageKey(owner, url)))),
    );
    const found = (query: Query) => rankedFor(wanted, query, apart);
    for (const word of terms.words) {
      if (!isCorrectable(word.text) || pagesWith(word.forms) > RARE) continue;
      const own = countFull(found(wanted.query), terms);
      for (const other of [...similarWords(wanted, word, census), ...splits(wanted, word, pagesWith)]) {
        const query = replaceWord(wanted.query, word.text, other);
        if (query && countFull(found(query), queryTerms(query)) > CLEARLY_MORE * own) return query.text;
      }
    }
    return null;
  };

  function rankedFor(wanted: IndexSuggest, query: Query, apart: ReadonlySet<number>): RankedPages {
    const search = { ...wanted, query, limit: 1, highlights: false };
    const select = <T extends { docId: number }>(list: T[]) => list.filter(({ docId }) => !apart.has(docId));
    return rank(search, { terms: queryTerms(query), isNews: false, depths: [DEPTH], readAtLeast: 0, select });
  }

  /** As pages write them, the most similar and most frequent first. */
  function similarWords(wanted: IndexSuggest, word: QueryWord, census: Census | undefined): string[] {
    const begun = beginningsOf(word.text).flatMap((prefix) =>
      invertedIndex.completions({ prefix, most: MOST_COMPARED }),
    );
    const edits = editsIn(word.text);
    // The terms of inflected words are beginnings of them.
    const similar = [...new Set(begun)]
      .filter((term) => !word.forms.includes(term) && isAsLong(term, word.text))
      .map((term) => ({ term, distance: distanceToBeginning(term.replace(MARK, ''), word.text), pages: 0 }))
      .filter(({ distance }) => distance <= edits)
      .map((one) => ({ ...one, pages: invertedIndex.docFrequency(one.term, census) }))
      .filter(({ pages }) => pages > 0)
      .sort((a, b) => a.distance - b.distance || b.pages - a.pages || (a.term < b.term ? -1 : 1));
    const words = similar.slice(0, MOST_READ).flatMap(({ term }) => spelling(wanted, term, word.text) ?? []);
    return [...new Set(words)].slice(0, MOST_TRIED);
  }

  /** How the best page with a term writes it, if that looks like what was typed. */
  function spelling(wanted: IndexSuggest, term: string, typed: string): string | undefined {
    const word = { text: term, forms: [term], isStop: false };
    const terms: QueryTerms = { words: [word], ranked: [{ forms: [term], weight: 1 }], phrases: [], ignored: [] };
    const search = { ...wanted, query: NOTHING, limit: 1, highlights: false };
    const [best] = rank(search, { terms, isNews: false, depths: [DEPTH], readAtLeast: 0 }).results;
    if (!best) return undefined;
    const { title, body, texts } = best.page;
    const text = `${title}\n${body}`;
    const spellings = new Set<string>();
    eachWantedTerm(text, texts.language, new Map([[term, 0]]), (number, start, end) => {
      if (number === 0) spellings.add(text.slice(start, end).toLowerCase());
    });
    const [nearest] = [...spellings].sort((a, b) => editDistance(a, typed) - editDistance(b, typed));
    return nearest !== undefined && editDistance(nearest, typed) <= editsIn(typed) ? nearest : undefined;
  }

  /** `nodejs` as `node js`, where pages have the two words next to each other. */
  function splits(
    wanted: IndexSuggest,
    { text }: QueryWord,
    pagesWith: (forms: readonly string[]) => number,
  ): string[] {
    const possible: { text: string; pages: number }[] = [];
    for (let at = SHORTEST_PART; at <= text.length - 2; at += 1) {
      const halves = [text.slice(0, at), text.slice(at)];
      const pages = Math.min(...halves.map((half) => pagesWith(queryWords(half)[0]?.forms ?? [])));
      if (pages > 0) possible.push({ text: halves.join(' '), pages });
    }
    return possible
      .sort((a, b) => b.pages - a.pages)
      .slice(0, MOST_TRIED)
      .map(({ text: phrase }) => phrase)
      .filter((phrase) => {
        const query: Query = { text: phrase, clauses: [{ kind: 'phrase', text: phrase, negated: false }] };
        return rankedFor(wanted, query, new Set()).results.length > 0;
      });
  }
}

const NOTHING: Query = { text: '', clauses: [] };

const isCorrectable = (word: string): boolean => word.length >= SHORTEST_WORD && /^\p{L}+$/u.test(word);

const countFull = ({ candidates }: RankedPages, { words }: QueryTerms): number =>
  candidates.list.filter((one) => (one as { covered?: number }).covered === words.length).length;

const editsIn = (word: string): number => (word.length >= LONG_WORD ? 2 : 1);

const isAsLong = (term: string, word: string): boolean =>
  term.length + LONGEST_ENDING >= word.length && term.length <= word.length + 2;

/** The first three letters, and the same with two of them in the other order. */
function beginningsOf(word: string): string[] {
  const [a = '', b = '', c = ''] = foldLatin(word);
  return [...new Set([`${a}${b}${c}`, `${b}${a}${c}`, `${a}${c}${b}`])];
}

/** Undefined unless it stands among the plain words of the query. */
function replaceWord({ text, clauses }: Query, word: string, other: string): Query | undefined {
  const isWord = (clause: Query['clauses'][number]) =>
    clause.kind === 'word' && !clause.negated && clause.text.toLowerCase() === word;
  const at = new RegExp(`(?<![\\p{L}\\p{N}":/.-])${word}(?![\\p{L}\\p{N}":/.])`, 'iu').exec(text);
  if (!at || !clauses.some(isWord)) return undefined;
  return {
    text: text.slice(0, at.index) + other + text.slice(at.index + at[0].length),
    clauses: clauses.flatMap((clause) =>
      isWord(clause)
        ? other.split(' ').map((part) => ({ kind: 'word' as const, text: part, negated: false }))
        : [clause],
    ),
  };
}
