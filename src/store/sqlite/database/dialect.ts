// Statements as SQLite reads them. They are written for PostgreSQL: locks and types go, since SQLite has one writer and needs no
// types, and lists are JSON, unless they are short (see database.ts).

const REWRITTEN: readonly (readonly [RegExp, string])[] = [
  [/\s+FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)(?: OF \w+)?(?: SKIP LOCKED)?/g, ''],
  [/unnest\(\?::\w+\[\]\) AS (\w+) \((\w+)\)/g, '(SELECT value AS $2 FROM json_each(?)) AS $1'],
  [/= ANY\(\?(?:::\w+\[\])?\)/g, 'IN (SELECT value FROM json_each(?))'],
  // Without statistics, it has to be told now and then.
  [/\/\* (INDEXED BY \w+) \*\//g, '$1'],
  [/::\w+(?:\[\])?/g, ''],
  [/ COLLATE "C"/g, ''],
  // SQLite looks at a limit when it plans, and plans anew each time one is bound: that takes longer than most statements do.
  [/\bLIMIT \?/g, 'LIMIT ? + 0'],
  [/\bgreatest\(/g, 'max('],
  [/\bleast\(/g, 'min('],
  [/\bLIMIT ALL\b/g, 'LIMIT -1'],
  // Shortened there, because an index cannot hold long texts.
  [/\burl_key\(([^()]*)\)/g, '$1'],
];

/**
 * For more than two words, SQLite makes a temporary table, also whenever a row is written to a table whose index has such a condition.
 * Indexes are spelled like this, too: otherwise SQLite would not see that they have all that a statement asks for.
 */
const WORDS = /([\w.]+)(?<!\bNOT) IN \(('\w+'(?:, '\w+'){2,})\)/g;

const oneOf = (column: string, words: string): string =>
  `(${words
    .split(', ')
    .map((word) => `${column} = ${word}`)
    .join(' OR ')})`;

/** `text` has a question mark for each value. */
export const toSqlite = (text: string): string =>
  REWRITTEN.reduce((rewritten, [pattern, spelling]) => rewritten.replace(pattern, spelling), text).replace(
    WORDS,
    (_, column, words) => oneOf(column, words),
  );
