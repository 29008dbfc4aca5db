// The docs that match terms, found by FTS5 or in the postings.

import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { assert } from '../../util/assert.ts';
import type { InvertedIndex } from '../segments/inverted-index.ts';
import type { TermMatch } from './predicates.ts';
import type { DocsMatching } from './search-scope.ts';

export function createTermLookup(
  connection: SqliteConnection,
  { docsWithAll }: Pick<InvertedIndex, 'docsWithAll'>,
): DocsMatching {
  const find = connection.prepare<{ ids: string }>('SELECT json_group_array(rowid) AS ids FROM fts WHERE fts MATCH ?');
  return (match) =>
    'term' in match
      ? docsWithAll([{ forms: [match.term], weight: 1 }])
      : (JSON.parse(find.get(ftsExpression(match))!.ids) as number[]);
}

function ftsExpression(match: TermMatch): string {
  assert(!('term' in match), 'Terms of the postings are not in the FTS5 table.');
  if ('phrase' in match) return `{${match.fields.join(' ')}} : ${quoted(match.phrase)}`;
  if ('urlPrefix' in match) return `url : ${quoted(match.urlPrefix)} *`;
  return 'all' in match ? joined(match.all, 'AND') : joined(match.any, 'OR');
}

const joined = (matches: readonly TermMatch[], operator: string): string =>
  matches.map((one) => `(${ftsExpression(one)})`).join(` ${operator} `);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
