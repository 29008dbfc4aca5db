// The tables that POST /v2/query reads, with their columns: the one list from which views, schema and docs follow.
import type { FormatType } from '../formats/format-traits.ts';
import type { KeyGroup } from '../team/policy.ts';

/** Times are texts like 2026-01-31T12:00:00.000Z in the embedded store, and timestamps in PostgreSQL. */
export type QueryColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time';

export interface QueryColumn {
  type: QueryColumnType;
  /** For people. */
  comment: string;
  /** A key that is restricted to other formats has no such column. */
  format?: FormatType;
  /** Only the embedded store has it: PostgreSQL cannot read into compressed pages. */
  isEmbedded?: true;
}

export interface QueryTable {
  comment: string;
  /** A key that is restricted to calls of other groups has no such table. */
  group?: KeyGroup;
  columns: Readonly<Record<string, QueryColumn>>;
}

const EMBEDDED = { isEmbedded: true } as const;
const text = (comment: string) => ({ type: 'text', comment }) as const;
const integer = (comment: string) => ({ type: 'integer', comment }) as const;
const boolean = (comment: string) => ({ type: 'boolean', comment }) as const;
const time = (comment: string) => ({ type: 'time', comment }) as const;

const MARKDOWN = { ...EMBEDDED, format: 'markdown' } as const;
const LINKS = { ...EMBEDDED, format: 'links' } as const;
const CHUNKS = { ...EMBEDDED, format: 'chunks' } as const;

const host = text('Host of `url`, with its port if that is not the default.');

const tables = {
  pages: {
    comment: 'The stored pages that `GET /v2/index/pages` lists, one row each.',
    columns: {
      url: text('Where the page was found, normalised.'),
      host,
      title: text('Title.'),
      description: text("The page's own description."),
      language: { ...text('Two letters, if it is known.'), ...EMBEDDED },
      kind: { ...text('File type: html, pdf, and so on.'), ...EMBEDDED },
      published_at: { ...time('When it was published, according to the page.'), ...EMBEDDED },
      fetched_at: time('When its newest copy was fetched.'),
      status_code: integer('HTTP status of the newest copy.'),
      content_type: text('Content type of the newest copy.'),
      searchable: boolean('A search finds it.'),
      tracked: boolean('Your team tracks its changes.'),
      shared: boolean('Teams share it.'),
      copies: integer('Cached copies: versions and variants.'),
      bytes: integer('Size of the cached copies.'),
      text: {
        ...text('The main content as plain text, as searches know it, up to 1,000,000 characters.'),
        ...MARKDOWN,
      },
      markdown: { ...text('The newest Markdown that is stored, up to 1,000,000 characters.'), ...MARKDOWN },
    },
  },
  versions: {
    comment: 'The kept versions of pages whose changes your team tracks, one row each.',
    columns: {
      id: integer('Number of the version, as in `GET /v2/index/page/versions`.'),
      url: text('The page.'),
      host,
      tag: text('The tag under which it is tracked.'),
      redacted: boolean('Personal data is replaced in its text.'),
      status: text('new, same, changed or removed.'),
      at: time('When it was first seen.'),
      last_seen_at: time('When it was last seen.'),
      bytes: integer('Size as stored.'),
      markdown: {
        ...text('The text, up to 1,000,000 characters. Null if the page was gone.'),
        ...EMBEDDED,
        format: 'changeTracking',
      },
    },
  },
  links: {
    comment: 'The links of searchable pages, each target once a page.',
    columns: {
      url: { ...text('The page.'), ...LINKS },
      host: { ...host, ...LINKS },
      target: { ...text('Where the link leads.'), ...LINKS },
      target_host: { ...text('Host of `target`.'), ...LINKS },
      text: { ...text('Text of the link.'), ...LINKS },
      position: { ...integer('Place among the links of the page, from 0.'), ...LINKS },
    },
  },
  chunks: {
    comment: 'The Markdown of stored pages in chunks of about 400 tokens, as the format `chunks` makes them.',
    columns: {
      id: { ...text('Id of the chunk.'), ...CHUNKS },
      url: { ...text('The page.'), ...CHUNKS },
      host: { ...host, ...CHUNKS },
      position: { ...integer('Place in the page, from 0.'), ...CHUNKS },
      context: { ...text('Title and headings above it.'), ...CHUNKS },
      text: { ...text('Text of the chunk.'), ...CHUNKS },
      tokens: { ...integer('Estimated tokens.'), ...CHUNKS },
    },
  },
  checks: {
    comment: 'The pages of the checks of your monitors, one row for a page and a check.',
    group: 'monitor',
    columns: {
      check_id: text('The check.'),
      monitor_id: text('Its monitor.'),
      check_status: text('Status of the check.'),
      started_at: time('When the check began.'),
      url: text('The page.'),
      host,
      status: text('same, changed, new, removed or error.'),
      status_code: integer('HTTP status of the page.'),
      error: text('Why the page could not be read.'),
      scrape_id: text('The scrape that the check made of it.'),
      checked_at: time('When the page was checked.'),
    },
  },
} as const satisfies Readonly<Record<string, QueryTable>>;

export type QueryTableName = keyof typeof tables;
export type QueryColumnName<Table extends QueryTableName> = keyof (typeof tables)[Table]['columns'] & string;

export const QUERY_TABLES: Readonly<Record<QueryTableName, QueryTable>> = tables;

/** What an SQL dialect writes for each column. */
export type ColumnExpressions<Table extends QueryTableName = QueryTableName> = {
  [Name in Table]: Readonly<Record<QueryColumnName<Name>, string>>;
};
