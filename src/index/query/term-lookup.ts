// The docs that match terms: by FTS5 in titles and URLs, by postings anywhere in the text.

import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import type { TermMatch } from './predicates.ts';
import type { DocsMatching } from './search-scope.ts';

export function createTermLookup(
  connection: SqliteConnection,
  { docsWithPhrase }: Pick<InvertedIndex, 'docsWithPhrase'>,
): DocsMatching {
  const find = connection.prepare<{ ids: string }>('SELECT json_group_array(rowid) AS ids FROM fts WHERE fts MATCH ?');
  const inFts = (expression: string) => JSON.parse(find.get(expression)!.ids) as number[];
  const docsMatching = (match: TermMatch): readonly number[] => {
    if ('term' in match) return docsWithPhrase([match.term]);
    if ('urlPrefix' in match) return inFts(`url : ${quoted(match.urlPrefix)} *`);
    if ('any' in match) return match.any.flatMap(docsMatching);
    if ('all' in match) return inAll(match.all.map(docsMatching));
    const { phrase, fields } = match;
    return fields.includes('body') ? docsWithPhrase(phrase.split(' ')) : inFts(`title : ${quoted(phrase)}`);
  };
  return docsMatching;
}

function inAll([first = [], ...others]: readonly (readonly number[])[]): number[] {
  const sets = others.map((docIds) => new Set(docIds));
  return first.filter((docId) => sets.every((set) => set.has(docId)));
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
