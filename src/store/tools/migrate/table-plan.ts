// Which tables move from a data folder into PostgreSQL, in the order of their references, and what is different there.
import { indexed } from '../../sql/indexed-text.ts';

export type CellValue = string | number | boolean | Uint8Array | null;
export type TableRow = Record<string, CellValue>;

export interface TablePlan {
  name: string;
  /** The columns of its key, by which its rows are read in order. */
  key: readonly string[];
  /** The column with numbers that are never given out twice. */
  identity?: string;
  /** The bytes of its rows are in another table of the folder, or in files. */
  hasBody?: boolean;
  /** Makes the columns that the database has instead of or in addition to those of the folder. */
  change?(row: TableRow): TableRow;
}

const numbered = (name: string, plan: Omit<TablePlan, 'name' | 'key'> & { by?: string } = {}): TablePlan => {
  const { by = 'id', ...more } = plan;
  return { name, key: [by], identity: by, ...more };
};
const keyed = (name: string, key: readonly string[], plan: Omit<TablePlan, 'name' | 'key'> = {}): TablePlan => ({
  ...{ name, key },
  ...plan,
});

/** Without the notes, which the service makes about its own folder, and without objects, which stay where they are. */
export const TABLES: readonly TablePlan[] = [
  keyed('teams', ['id']),
  keyed('keys', ['hash']),
  numbered('ledger'),
  keyed('usage', ['team_id', 'hour', 'key', 'operation']),
  keyed('requests', ['id']),
  keyed('feedback', ['request_id']),
  keyed('threat_policies', ['team_id']),
  numbered('audit'),
  numbered('siem', { by: 'number' }),
  keyed('used_assertions', ['id']),
  keyed('registrations', ['id']),
  keyed('registered_keys', ['registration_id', 'number']),
  keyed('keyless_usage', ['caller']),
  keyed('console_sessions', ['hash']),
  keyed('console_links', ['hash']),
  keyed('programs', ['team_id', 'key']),
  numbered('pages', { hasBody: true, change: withHeaderFacts }),
  numbered('results', { hasBody: true }),
  keyed('site_memories', ['owner', 'site']),
  keyed('chunk_vectors', ['team_id', 'key']),
  numbered('jobs', { by: 'number' }),
  keyed('job_requests', ['job']),
  keyed('job_keys', ['team_id', 'key']),
  numbered('tasks', { change: withShortTexts }),
  keyed('job_patterns', ['job', 'pattern'], { change: (row) => ({ ...row, pattern: short(row.pattern) }) }),
  keyed('scrapes', ['id']),
  keyed('index_entries', ['change'], { hasBody: true, change: (row) => ({ ...row, id: row.change! }), identity: 'id' }),
  keyed('stored_hosts', ['owner', 'name', 'host']),
  keyed('page_history', ['key']),
  numbered('page_versions', { by: 'number', hasBody: true }),
  keyed('files', ['id'], { hasBody: true }),
  keyed('screenshots', ['page_id', 'options']),
  keyed('archives', ['id']),
  numbered('archive_bodies', { hasBody: true }),
  numbered('archive_records'),
  keyed('profiles', ['team_id', 'name'], { hasBody: true }),
  // Uploads are always files.
  keyed('uploads', ['id'], { hasBody: true, change: ({ bytes: _, ...row }) => row }),
  numbered('runs', { by: 'number' }),
  numbered('run_steps'),
  numbered('deliveries'),
  numbered('monitors', { by: 'number' }),
  numbered('checked_pages', { by: 'number' }),
  numbered('watched_pages', { by: 'number' }),
  numbered('collections', { by: 'number' }),
  numbered('collection_members', { by: 'number' }),
  numbered('mail_subscriptions', { by: 'number' }),
  numbered('mails'),
];

function withHeaderFacts(row: TableRow): TableRow {
  const { status = 0, contentType = '' } = JSON.parse(String(row.header)) as { status?: number; contentType?: string };
  return { ...row, status, content_type: contentType };
}

/** What is in an index of the database must not be too long for it. */
const short = (text: CellValue | undefined): CellValue => (typeof text === 'string' ? indexed(text) : (text ?? null));

function withShortTexts(row: TableRow): TableRow {
  const key = short(row.key);
  return {
    ...row,
    key,
    full_key: key === row.key ? row.full_key! : row.key!,
    host: short(row.host),
    pattern: short(row.pattern),
    final_key: short(row.final_key),
    group_key: short(row.group_key),
  };
}
