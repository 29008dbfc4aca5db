// Port: read-only SQL over views of what a caller may see. A query sees its own views and nothing else, and ends at its limits
// with an error, never with a part of the rows.
import type { QueryTableName } from '../../contracts/query/query-tables.ts';
import type { Viewer } from '../../page/page-owner.ts';

/** The tables that the query sees, with the columns that are left of each. */
export type QueryViews = Partial<Record<QueryTableName, readonly string[]>>;

export interface TableQuery {
  sql: string;
  views: QueryViews;
  viewer: Viewer;
  /** Whose pages are listed even if no search finds them. */
  listed: readonly string[];
  teamId: string;
  /** Only pages of these domains are seen; empty: of all. */
  domains: readonly string[];
  /** What has expired by then is not seen. */
  now: number;
  timeMs: number;
  maxRows: number;
}

export interface ResultColumn {
  name: string;
  /** What its values are; `any` if they differ, `null` without any value. */
  type: 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'bytes' | 'any' | 'null';
}

export interface QueryResult {
  columns: ResultColumn[];
  rowCount: number;
  /** JSON lists of rows, each a list of values in the order of the columns. Bytes are Base64. */
  batches: readonly string[];
}

export interface TableQueries {
  /** Whether it has columns that only the embedded store has. */
  readonly isEmbedded: boolean;
  /** Throws ServiceError QUERY_INVALID, QUERY_TIMEOUT, QUERY_TOO_LARGE, QUERY_OUT_OF_MEMORY, NOT_IMPLEMENTED, QUEUE_FULL. */
  run(query: TableQuery, signal: AbortSignal): Promise<QueryResult>;
  close(): Promise<void>;
}
