// The words of a query used for ranking. Stop words count only if there are no others, repetitions only in long queries.
// In short ones, two words also stand for the one that they make together.
import type { Clause, Query } from '../../contracts/search/search-query.ts';
import { withoutHumps } from '../../text/words/joined-words.ts';
import { joinedForms, type QueryWord, queryWords } from '../../text/words/terms.ts';
import type { RankedWord } from '../segments/inverted-index.ts';

/** In longer queries, a repeated word is what the query is about. */
const SHORT_QUERY = 20;
/** In longer queries, the other words say enough. */
const MOST_JOINED = 6;

export interface QueryTerms {
  /** Each word once, in order. */
  words: QueryWord[];
  ranked: RankedWord[];
  phrases: string[];
  /** Stop words that are not looked for. */
  ignored: string[];
}

export function queryTerms({ clauses }: Query): QueryTerms {
  const wanted = clauses.filter(({ negated }) => !negated);
  const all = withJoined(queryWords(withoutHumps(wanted.flatMap(textsOf).join(' '))));
  const telling = all.filter(({ isStop }) => !isStop);
  const kept = telling.length > 0 ? telling : all;
  const counted = Map.groupBy(kept, ({ forms }) => forms.join(' '));
  const isLong = all.length > SHORT_QUERY;
  const each = [...counted.values()];
  return {
    words: each.map(([word]) => word!),
    ranked: each.map((same) => ({ forms: same[0]!.forms, weight: isLong ? same.length : 1 })),
    phrases: wanted.flatMap((clause) => (clause.kind === 'phrase' ? [clause.text] : [])),
    ignored: telling.length > 0 ? all.filter(({ isStop }) => isStop).map(({ text }) => text) : [],
  };
}

/** `real time` also finds `realtime`: it counts as either of the two words. */
function withJoined(words: readonly QueryWord[]): QueryWord[] {
  if (words.length > MOST_JOINED) return [...words];
  const joined = words
    .slice(1)
    .map((word, at) => (word.isStop || words[at]!.isStop ? [] : joinedForms(words[at]!, word)));
  return words.map((word, at) => ({
    ...word,
    forms: [...new Set([...word.forms, ...(joined[at - 1] ?? []), ...(joined[at] ?? [])])],
  }));
}

/** Texts that say what the page is about. `inurl:` words only filter: they match prefixes, which terms cannot. */
function textsOf(clause: Clause): string[] {
  switch (clause.kind) {
    case 'word':
    case 'phrase':
      return [clause.text];
    case 'intitle':
    case 'allintitle':
      return clause.words;
    default:
      return [];
  }
}
