// The views of a query in SQLite, with the conditions of its caller written into them.
import { type ColumnExpressions, QUERY_TABLES, type QueryTableName } from '../../../../contracts/query/query-tables.ts';
import type { TableQuery } from '../../../ports/table-queries.ts';

export interface ViewNames {
  /** Begins the names of what only views may read. */
  secret: string;
}

type Caller = Pick<TableQuery, 'viewer' | 'listed' | 'teamId' | 'domains' | 'now' | 'views'>;

/** Statements that make the views. */
export function viewStatements(caller: Caller, { secret }: ViewNames): string[] {
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
  const entry = (field: string) => call('entry', 'entry.body_id', `'${field}'`);
  const ofUrl = { url: 'found.url', host: call('host', 'found.url') };
  return {
    pages: {
      ...ofUrl,
      title: `coalesce(nullif(${entry('title')}, ''), copy.title)`,
      description: `coalesce(nullif(${entry('description')}, ''), copy.description)`,
      language: `nullif(${entry('language')}, '')`,
      kind: entry('fileType'),
      published_at: time(entry('publishedAt')),
      fetched_at: time('coalesce(copy.fetched_at, entry.fetched_at)'),
      status_code: `coalesce(copy.status, copy.header ->> 'status')`,
      content_type: `coalesce(copy.content_type, copy.header ->> 'contentType')`,
      searchable: 'entry.change IS NOT NULL',
      tracked:
        'EXISTS (SELECT 1 FROM main.page_history WHERE page_history.team_id = mine.id AND page_history.url = found.url)',
      shared: `EXISTS (SELECT 1 FROM main.pages AS other WHERE other.id IN (${copiesOf('other_copy')}) AND other.owner <> mine.id)
        OR coalesce(entry.owner <> mine.id, 0)`,
      copies: `(SELECT count(*) FROM (${copiesOf('counted')}))`,
      bytes: `(SELECT coalesce(sum(sized.size), 0) FROM main.pages AS sized WHERE sized.id IN (${copiesOf('sized_copy')}))`,
      text: entry('body'),
      markdown: call('markdown', 'found.url'),
    },
    versions: {
      ...ofUrl,
      id: 'version.number',
      tag: 'found.tag',
      redacted: 'found.redacted',
      status: 'version.status',
      at: time('version.at'),
      last_seen_at: time('version.seen_at'),
      bytes: 'version.size',
      markdown: call('version', 'version.body_id'),
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
  };
}

/** Ids of the copies of a page that the caller sees, at its own URL and where others led to it. */
const copiesOf = (name: string) => `
  SELECT ${name}.id FROM main.pages AS ${name}, json_each(mine.viewer) AS ${name}_owner
    WHERE ${name}.owner = ${name}_owner.value AND ${name}.url = found.url AND ${name}.final_url IS NULL
  UNION ALL SELECT ${name}.id FROM main.pages AS ${name}, json_each(mine.viewer) AS ${name}_owner
    WHERE ${name}.owner = ${name}_owner.value AND ${name}.final_url = found.url`;

function viewSources(caller: Caller, call: CallFunction): Record<QueryTableName, string> {
  const { viewer, listed, teamId, domains, now } = caller;
  const mine = `(SELECT ${quote(teamId)} AS id, ${quote(JSON.stringify(viewer))} AS viewer) AS mine`;
  const seen = quoteAll(viewer);
  const shown = quoteAll(listed);
  const isOfDomains = domains.length === 0 ? '' : `WHERE ${call('may_list', 'found.url')}`;
  const andOfDomains = isOfDomains.replace('WHERE', 'AND');
  const urls = `(SELECT url FROM main.index_entries WHERE owner IN (${seen}) AND body_id IS NOT NULL
    UNION SELECT url FROM main.pages WHERE owner IN (${shown}) AND final_url IS NULL
    UNION SELECT final_url FROM main.pages WHERE owner IN (${shown}) AND final_url IS NOT NULL
    UNION SELECT url FROM main.page_history WHERE team_id = ${quote(teamId)}) AS found`;
  // The entry of the team itself comes before one that it shares. Without the owner, SQLite would take a join whose columns are
  // not asked for as a count of the whole table, which is refused.
  const entry = `LEFT JOIN main.index_entries AS entry ON entry.owner IS NOT NULL AND entry.change = (
    SELECT own.change FROM main.index_entries AS own WHERE own.url = found.url AND own.owner IN (${seen})
      AND own.body_id IS NOT NULL ORDER BY own.owner = ${quote(teamId)} DESC LIMIT 1)`;
  return {
    pages: `${mine} CROSS JOIN ${urls} ${entry} LEFT JOIN main.pages AS copy ON copy.owner IS NOT NULL AND copy.id = (
      SELECT newest.id FROM main.pages AS newest WHERE newest.id IN (${copiesOf('newest_copy')})
        ORDER BY newest.fetched_at DESC, newest.id DESC LIMIT 1) ${isOfDomains}`,
    versions: `main.page_history AS found JOIN main.page_versions AS version ON version.history = found.key
      WHERE found.team_id = ${quote(teamId)} ${andOfDomains}`,
    links: `${urls} ${entry} CROSS JOIN json_each(${call('entry', 'entry.body_id', `'links'`)}) AS link ${isOfDomains}`,
    chunks: `${urls} ${entry} CROSS JOIN json_each(${call('chunks', 'found.url', 'entry.body_id')}) AS chunk ${isOfDomains}`,
    checks: `main.runs AS run JOIN main.checked_pages AS found ON found.run = run.number
      WHERE run.team_id = ${quote(teamId)} AND run.kind = 'check'
        AND (run.status IN ('queued', 'running') OR run.expires_at > ${now}) ${andOfDomains}`,
  };
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoteAll = (texts: readonly string[]): string => texts.map(quote).join(', ');

/** For errors, in which inner names would say nothing. */
export const TABLE_NAMES: readonly string[] = Object.keys(QUERY_TABLES);
