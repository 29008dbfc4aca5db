// The views of a query in PostgreSQL, with the conditions of its caller written into them. They are made in the transaction of
// the query, which is rolled back.
import type { ColumnExpressions, QueryColumnName, QueryTableName } from '../../../contracts/query/query-tables.ts';
import type { TableQuery } from '../../ports/table-queries.ts';

type Caller = Pick<TableQuery, 'viewer' | 'listed' | 'teamId' | 'domains' | 'now' | 'views'>;
type Expressions = { [Name in QueryTableName]: Partial<Record<QueryColumnName<Name>, string>> };

/** Statements that make the views, for `role` to read. */
export function viewStatements(caller: Caller, role: string): string[] {
  const sources = viewSources(caller);
  const names = Object.keys(caller.views) as QueryTableName[];
  // A view hides the table of its name, so each gets its name when all of them are made.
  return [
    ...names.map((name) => {
      const expressions = COLUMNS[name] as Readonly<Record<string, string>>;
      const selected = caller.views[name]!.map((column) => `${expressions[column]} AS "${column}"`).join(', ');
      // A barrier, so that no condition of the query is tried on rows of others: its errors would tell of them.
      return `CREATE TEMP VIEW "trawl_${name}" WITH (security_barrier) AS SELECT ${selected} FROM ${sources[name]}`;
    }),
    ...names.flatMap((name) => [
      `GRANT SELECT ON pg_temp."trawl_${name}" TO ${role}`,
      `ALTER VIEW pg_temp."trawl_${name}" RENAME TO "${name}"`,
    ]),
  ];
}

const time = (column: string) => `to_timestamp(${column} / 1000.0)`;
const hostOf = (url: string) => `substring(${url} FROM '^[a-z]+://([^/?#]+)')`;
const URL_AND_HOST = { url: 'found.url', host: hostOf('found.url') };

const COLUMNS: Expressions = {
  pages: {
    ...URL_AND_HOST,
    title: 'copy.title',
    description: 'copy.description',
    fetched_at: time('coalesce(copy.fetched_at, entry.fetched_at)'),
    status_code: 'copy.status',
    content_type: 'copy.content_type',
    searchable: 'entry.owner IS NOT NULL',
    tracked: 'tracked.url IS NOT NULL',
    shared: 'coalesce(counted.shared, false) OR coalesce(entry.shared, false)',
    copies: 'coalesce(counted.copies, 0)',
    bytes: 'coalesce(counted.bytes, 0)::bigint',
  },
  versions: {
    ...URL_AND_HOST,
    id: 'version.number',
    tag: 'found.tag',
    redacted: 'found.redacted',
    status: 'version.status',
    at: time('version.at'),
    last_seen_at: time('version.seen_at'),
    bytes: 'version.size',
  },
  links: {},
  chunks: {},
  checks: {
    ...URL_AND_HOST,
    check_id: 'run.id',
    monitor_id: 'run.group_id',
    check_status: 'run.status',
    started_at: time('run.started_at'),
    status: 'found.status',
    status_code: 'found.status_code',
    error: 'found.error',
    scrape_id: 'found.current_scrape_id',
    checked_at: time('found.created_at'),
  },
} satisfies { [Name in QueryTableName]: Partial<ColumnExpressions[Name]> };

function viewSources({ viewer, listed, teamId, domains, now }: Caller): Record<QueryTableName, string> {
  const team = quote(teamId);
  const seen = viewer.map(quote).join(', ');
  const shown = listed.map(quote).join(', ');
  const isOfDomains = domains.length === 0 ? 'true' : `(${domains.map(isOfDomain).join(' OR ')})`;
  const hasEntry = '(blob IS NOT NULL OR bytes IS NOT NULL)';
  const copies = `(SELECT coalesce(final_url, url) AS url, id, owner, title, description, fetched_at, status, content_type, size
    FROM pages WHERE owner IN (${seen}))`;
  return {
    pages: `(
        SELECT url FROM index_entries WHERE owner IN (${seen}) AND ${hasEntry}
        UNION SELECT coalesce(final_url, url) FROM pages WHERE owner IN (${shown})
        UNION SELECT url FROM page_history WHERE team_id = ${team}
      ) AS found
      LEFT JOIN (SELECT DISTINCT ON (url) * FROM ${copies} AS all_copies ORDER BY url, fetched_at DESC, id DESC) AS copy
        ON copy.url = found.url
      LEFT JOIN (SELECT url, count(*) AS copies, sum(size) AS bytes, bool_or(owner <> ${team}) AS shared
        FROM ${copies} AS all_copies GROUP BY url) AS counted ON counted.url = found.url
      LEFT JOIN (SELECT DISTINCT ON (url) url, owner, owner <> ${team} AS shared, fetched_at FROM index_entries
        WHERE owner IN (${seen}) AND ${hasEntry} ORDER BY url, owner = ${team} DESC) AS entry ON entry.url = found.url
      LEFT JOIN (SELECT DISTINCT url FROM page_history WHERE team_id = ${team}) AS tracked ON tracked.url = found.url
      WHERE ${isOfDomains}`,
    versions: `page_history AS found JOIN page_versions AS version ON version.history = found.key
      WHERE found.team_id = ${team} AND ${isOfDomains}`,
    links: '',
    chunks: '',
    checks: `runs AS run JOIN checked_pages AS found ON found.run = run.number
      WHERE run.team_id = ${team} AND run.kind = 'check'
        AND (run.status IN ('queued', 'running') OR run.expires_at > ${now}) AND ${isOfDomains}`,
  };
}

/** As `readDomainList` compares: without the port, and below `*.` at any depth. */
function isOfDomain(pattern: string): string {
  const host = `regexp_replace(${hostOf('found.url')}, ':[0-9]+$', '')`;
  return pattern.startsWith('*.')
    ? `right(${host}, ${pattern.length - 1}) = ${quote(pattern.slice(1))}`
    : `${host} = ${quote(pattern)}`;
}

/** A backslash has its meaning in texts that begin with E only, unless an operator has turned that off. */
const quote = (text: string): string =>
  `${text.includes('\\') ? ' E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
