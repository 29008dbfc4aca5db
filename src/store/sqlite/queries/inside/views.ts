// The views of a query in SQLite, with the conditions of its caller written into them.
import type { ColumnExpressions, QueryTableName } from '../../../../contracts/query/query-tables.ts';
import type { TableQuery } from '../../../ports/table-queries.ts';

type Caller = Pick<TableQuery, 'viewer' | 'listed' | 'teamId' | 'domains' | 'now' | 'views'>;

/** Statements that make the views. `secret` begins the names of what only views may read. */
export function viewStatements(caller: Caller, secret: string): string[] {
  const call = (name: string, ...args: string[]) => `"${secret}${name}"(${args.join(', ')})`;
  const columns = columnExpressions(call);
  const sources = viewSources(caller, call);
  return Object.entries(caller.views).flatMap(([table, names]) => {
    const name = table as QueryTableName;
    const expressions = columns[name] as Readonly<Record<string, string>>;
    const selected = names.map((column) => `${expressions[column]} AS "${column}"`).join(', ');
    return [
      `CREATE TEMP VIEW "${secret}${name}" AS SELECT ${selected} FROM ${sources[name]}`,
      `CREATE TEMP VIEW "${name}" AS SELECT * FROM temp."${secret}${name}"`,
    ];
  });
}

type CallFunction = (name: string, ...args: string[]) => string;

const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

function columnExpressions(call: CallFunction): ColumnExpressions {
  const entry = (field: string) => call('entry', 'found.body_id', `'${field}'`);
  const copy = (column: string) => `(SELECT ${column} FROM main.pages AS copy WHERE copy.id = found.copy_id)`;
  const ofUrl = { url: 'found.url', host: call('host', 'found.url') };
  return {
    pages: {
      ...ofUrl,
      title: `coalesce(nullif(${entry('title')}, ''), ${copy('title')})`,
      description: `coalesce(nullif(${entry('description')}, ''), ${copy('description')})`,
      language: `nullif(${entry('language')}, '')`,
      kind: entry('fileType'),
      published_at: time(entry('publishedAt')),
      fetched_at: time(`coalesce(${copy('fetched_at')}, ${entry('fetchedAt')})`),
      status_code: copy("coalesce(status, header ->> 'status')"),
      content_type: copy("coalesce(content_type, header ->> 'contentType')"),
      searchable: 'found.change IS NOT NULL',
      tracked:
        'EXISTS (SELECT 1 FROM main.page_history AS tracked WHERE tracked.team_id = found.team AND tracked.url = found.url)',
      shared: `EXISTS (SELECT 1 FROM (${COPIES}) AS copy WHERE copy.owner <> found.team)
        OR EXISTS (SELECT 1 FROM main.index_entries AS other WHERE other.change = found.change AND other.owner <> found.team)`,
      copies: `(SELECT count(*) FROM (${COPIES}))`,
      bytes: `(SELECT coalesce(sum(copy.size), 0) FROM (${COPIES}) AS copy)`,
      text: entry('body'),
      markdown: call('markdown', 'found.url'),
    },
    versions: {
      ...ofUrl,
      id: 'found.number',
      tag: 'found.tag',
      redacted: 'found.redacted',
      status: 'found.status',
      at: time('found.at'),
      last_seen_at: time('found.seen_at'),
      bytes: 'found.size',
      markdown: call('version', 'found.body_id'),
    },
    links: {
      ...ofUrl,
      target: `link.value ->> 'url'`,
      target_host: call('host', `link.value ->> 'url'`),
      text: `link.value ->> 'text'`,
      position: 'link.key',
    },
    chunks: {
      ...ofUrl,
      id: `chunk.value ->> 'id'`,
      position: 'chunk.key',
      context: `chunk.value ->> 'context'`,
      text: `chunk.value ->> 'text'`,
      tokens: `chunk.value ->> 'tokens'`,
    },
    checks: {
      ...ofUrl,
      check_id: 'found.check_id',
      monitor_id: 'found.group_id',
      check_status: 'found.check_status',
      started_at: time('found.started_at'),
      status: 'found.status',
      status_code: 'found.status_code',
      error: 'found.error',
      scrape_id: 'found.current_scrape_id',
      checked_at: time('found.created_at'),
    },
  };
}

/** The copies of a page that the caller sees, at its own URL and where others led to it. */
const COPIES = `
  SELECT pages.id, pages.owner, pages.size, pages.fetched_at FROM json_each(found.viewer) AS seen CROSS JOIN main.pages
    WHERE pages.owner = seen.value AND pages.url = found.url AND pages.final_url IS NULL
  UNION ALL SELECT pages.id, pages.owner, pages.size, pages.fetched_at FROM json_each(found.viewer) AS seen CROSS JOIN main.pages
    WHERE pages.owner = seen.value AND pages.final_url = found.url`;

/** SQLite moves no condition of the query in here, where it would be tried on rows of others: its errors would tell of them. */
const BARRIER = 'LIMIT -1';

function viewSources(caller: Caller, call: CallFunction): Record<QueryTableName, string> {
  const { viewer, listed, teamId, domains, now } = caller;
  const team = quote(teamId);
  const seen = quoteAll(viewer);
  const shown = quoteAll(listed);
  const isOfDomains = (url: string) => (domains.length === 0 ? 'true' : call('may_list', url));
  // The entry of the team itself comes before one that it shares. Of a join of which only the number is read, SQLite says that
  // rows of the table are counted, and not by which view: so the owner is read, too.
  const pages = `(
    SELECT found.url, entry.change, entry.body_id, found.team, found.viewer,
      (SELECT id FROM (${COPIES}) ORDER BY fetched_at DESC, id DESC LIMIT 1) AS copy_id
    FROM (
      SELECT url, ${team} AS team, ${quote(JSON.stringify(viewer))} AS viewer FROM (
        SELECT url FROM main.index_entries WHERE owner IN (${seen}) AND body_id IS NOT NULL
        UNION SELECT url FROM main.pages WHERE owner IN (${shown}) AND final_url IS NULL
        UNION SELECT final_url FROM main.pages WHERE owner IN (${shown}) AND final_url IS NOT NULL
        UNION SELECT url FROM main.page_history WHERE team_id = ${team}
      )
    ) AS found LEFT JOIN main.index_entries AS entry ON entry.owner IS NOT NULL AND entry.change = (
      SELECT own.change FROM main.index_entries AS own WHERE own.url = found.url AND own.owner IN (${seen})
        AND own.body_id IS NOT NULL ORDER BY own.owner = ${team} DESC LIMIT 1)
    WHERE ${isOfDomains('found.url')} ${BARRIER}) AS found`;
  return {
    pages,
    versions: `(
      SELECT history.url, history.tag, history.redacted, version.number, version.status, version.at, version.seen_at,
        version.size, version.body_id
      FROM main.page_history AS history CROSS JOIN main.page_versions AS version ON version.history = history.key
      WHERE history.team_id = ${team} AND ${isOfDomains('history.url')} ${BARRIER}) AS found`,
    links: `${pages} CROSS JOIN json_each(${call('entry', 'found.body_id', `'links'`)}) AS link`,
    chunks: `${pages} CROSS JOIN json_each(${call('chunks', 'found.url', 'found.body_id')}) AS chunk`,
    checks: `(
      SELECT run.id AS check_id, run.group_id, run.status AS check_status, run.started_at, checked.*
      FROM main.runs AS run CROSS JOIN main.checked_pages AS checked ON checked.run = run.number
      WHERE run.team_id = ${team} AND run.kind = 'check' AND (run.status IN ('queued', 'running') OR run.expires_at > ${now})
        AND ${isOfDomains('checked.url')} ${BARRIER}) AS found`,
  };
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoteAll = (texts: readonly string[]): string => texts.map(quote).join(', ');
